import { Hono } from 'hono'

export function healthRoutes(isReady: () => Promise<boolean>) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) =>
      (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
    )
}
