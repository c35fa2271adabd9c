/** The task of copies of volumes in tests. */
export const COPY_TASK = '01890000-0000-7000-8000-0000000000cc'
