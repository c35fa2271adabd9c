export default function Home() {
  return (
    <main>
      <h1>{document.title}</h1>
    </main>
  )
}
