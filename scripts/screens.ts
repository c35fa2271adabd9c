/**
 * `npm run screens -- URL EMAIL PASSWORD DIR` takes pictures of every page that links lead to, in two themes and two
 * widths, and puts them on one sheet, DIR/sheet.html. URL is the first page of a surface that runs, such as
 * http://localhost:4000/console.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { SURFACES } from '../src/web/surfaces.ts'
import { crawl, showAs, VIEWS } from '../test/support/crawl.ts'
import { signInOn } from '../test/support/sign-in.ts'

const [url, email, password, directory] = process.argv.slice(2)
if (!url || !email || !password || !directory) throw new Error('Usage: npm run screens -- URL EMAIL PASSWORD DIR')
const { pathname } = new URL(url)
const surface = SURFACES.find(({ base }) => base === pathname)
if (!surface) throw new Error(`No pages begin at ${pathname}: ${SURFACES.map(({ base }) => base).join(', ')}`)

mkdirSync(directory, { recursive: true })
/** Chromium's sandbox does not work for root. */
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
const pictures: string[] = []
try {
  const page = await browser.newPage()
  await page.goto(url)
  await signInOn(page, { email, password })
  for await (const { name } of crawl(page, surface)) {
    if (name === undefined) continue
    for (const view of VIEWS) {
      await showAs(page, view)
      const file = `${name.replaceAll(/\W+/g, '-').slice(1) || 'home'}-${view.theme}-${view.width}.png`
      await page.screenshot({ path: join(directory, file), fullPage: true })
      pictures.push(file)
    }
  }
} finally {
  await browser.close()
}

const figures = pictures.map(
  (file) => `<figure><img src="${file}" alt="${file}"><figcaption>${file}</figcaption></figure>`,
)
const style = 'body{display:flex;flex-wrap:wrap;gap:1rem;background:#888}img{inline-size:24rem}figure{margin:0}'
writeFileSync(join(directory, 'sheet.html'), `<!doctype html><style>${style}</style>${figures.join('')}`)
console.log(`${pictures.length} pictures: ${join(directory, 'sheet.html')}`)
