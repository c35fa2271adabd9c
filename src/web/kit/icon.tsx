/** The mark of Daybook: a page with ruled lines and a margin. */
export const Mark = () => (
  <svg
    width="20"
    height="20"
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    aria-hidden="true"
  >
    <rect x="3" y="2" width="14" height="16" rx="1.5" />
    <path d="M7 2v16M10 6.5h4.5M10 10h4.5M10 13.5h3" />
  </svg>
)
