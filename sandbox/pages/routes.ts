import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Timekeeper } from '../clock/timekeeper.ts'
import type { Courier } from '../events/courier.ts'
import type { World } from '../store/tx.ts'
import { authenticateAnswer, authenticatePage } from './authenticate.ts'
import { cardForm } from './card.ts'
import { clockPage, moveClock } from './clock.ts'
import { control, controlJson, controlPage } from './control.ts'
import { indexPage } from './index-page.ts'
import { invoicePage, invoicePdfFile } from './invoice.ts'
import { notFound } from './layout.ts'

const longestBody = 100_000
const tooLong = { type: 'invalid_request_error', message: 'The request body is too large.' }

/** The routes below `/sandbox`: the pages, and the API for browsers. */
export function sandboxRoutes(
  world: World,
  browserApi: Hono,
  timekeeper: Timekeeper,
  courier: Courier,
): Hono {
  const routes = new Hono()
  routes.use(bodyLimit({ maxSize: longestBody, onError: (c) => c.json({ error: tooLong }, 413) }))
  routes.get('/', (c) => indexPage(c, world))
  routes.route('/', cardForm)
  routes.get('/clock', (c) => clockPage(c, world, timekeeper))
  routes.post('/clock', (c) => moveClock(c, world, timekeeper))
  routes.get('/control', (c) => controlPage(c, world))
  routes.post('/control', (c) => control(c, world, courier))
  routes.get('/control.json', (c) => controlJson(c, world))
  routes.get('/invoices/:token', (c) => invoicePage(c, world))
  routes.get('/invoices/:token/pdf', (c) => invoicePdfFile(c, world))
  routes.get('/authenticate/:intent', (c) => authenticatePage(c, world))
  routes.post('/authenticate/:intent', (c) => authenticateAnswer(c, world))
  routes.route('/stripe', browserApi)
  routes.all('*', (c) => notFound(c, 'page'))
  return routes
}
