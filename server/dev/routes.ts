import { Hono } from 'hono'
import type { Services } from '../core/services.ts'
import { chipScript, type StandIns } from './chip.ts'
import { devExampleRoutes } from './examples.ts'
import { devMailRoutes } from './mail.ts'

/** Comforts of development. `standInGuard` has to guard them: they give access to every account. */
export function devRoutes(services: Services, standIns: StandIns) {
  const routes = new Hono()
    .get('/chip.js', (c) =>
      c.body(chipScript(standIns), 200, { 'content-type': 'text/javascript' }),
    )
    .route('/', devExampleRoutes(services))
  return standIns.mail ? routes.route('/', devMailRoutes(services)) : routes
}
