type Server = { request: (path: string, init?: RequestInit) => Promise<Response> }

export const withMetrics = { METRICS_TOKEN: 'token-of-the-operator' }

/** The samples that /metrics shows, by name and labels: `app_jobs{task="sendMail",state="waiting"}`. */
export async function scrape({ request }: Server) {
  const headers = { authorization: `Bearer ${withMetrics.METRICS_TOKEN}` }
  const text = await (await request('/metrics', { headers })).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
