/** The cost of Koa alone: one route, one constant. `bare-koa.ts PORT`. */
import Koa from 'koa'

const answer = JSON.stringify({
  id: '01890000-0000-7000-8000-00000000d001',
  slug: 'starter',
  name: 'Starter',
  active: true,
})

const app = new Koa()
app.use((ctx) => {
  ctx.type = 'application/json'
  ctx.body = answer
})
app.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'))
