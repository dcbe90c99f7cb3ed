import { Send } from 'lucide-react'
import { useEffect } from 'react'
import { tellOfChange, useAction } from '../../../client/api/call.ts'
import { usePagedCall } from '../../../client/api/queries.ts'
import { Ago } from '../../../client/components/ago.tsx'
import { Button } from '../../../client/components/button.tsx'
import { Badge } from '../../../client/components/card.tsx'
import { LiveProblem } from '../../../client/components/message.tsx'
import { PagedList } from '../../../client/components/paged-list.tsx'
import type { Column } from '../../../client/components/table.tsx'
import { usePages } from '../../../client/components/use-query.ts'
import { useT } from '../../../client/platform/i18n.ts'
import type { Delivery } from '../contract.ts'

const tones = { waiting: 'neutral', asked: 'neutral', delivered: 'good', failed: 'bad' } as const

export type Here = { subscriptionId: string; webhookId: string }

/** What was sent, and how the receiver answered. */
export function Deliveries({ mayAsk, ...here }: Here & { mayAsk: boolean }) {
  const t = useT()
  const pages = usePages()
  const found = usePagedCall('listDeliveries', here, pages)
  const test = useAction('sendTestEvent')
  const again = useAction('sendAgain')
  const columns = useColumns(mayAsk && ((deliveryId) => void again.run({ ...here, deliveryId })))
  const rows = found.data?.deliveries
  const isAwaited = rows?.some(({ state }) => state === 'asked')
  useEffect(() => {
    // Tabs do not hear of single deliveries.
    const timer = isAwaited ? setInterval(tellOfChange, 1000) : undefined
    return () => clearInterval(timer)
  }, [isAwaited])
  return (
    <section className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-card">{t('webhooks.deliveries.title')}</h2>
        {mayAsk && (
          <Button icon={<Send />} busy={test.busy} onClick={() => void test.run(here)}>
            {t('webhooks.test')}
          </Button>
        )}
      </header>
      <LiveProblem error={test.error} failed="webhooks.testFailed" />
      <LiveProblem error={again.error} failed="webhooks.deliveries.againFailed" />
      <PagedList
        {...{ found, rows, pages, columns }}
        title={t('webhooks.deliveries.title')}
        folded="narrow:grid-cols-[minmax(0,1fr)_auto]"
        failed="webhooks.deliveries.loadFailed"
        noMatch={false}
        empty={{
          icon: <Send />,
          title: t('webhooks.deliveries.emptyTitle'),
          text: t('webhooks.deliveries.empty'),
        }}
      />
    </section>
  )
}

function useColumns(sendAgain: false | ((deliveryId: string) => void)): Column<Delivery>[] {
  const t = useT()
  return [
    {
      title: 'webhooks.deliveries.event',
      cell: ({ event, created }) => (
        <>
          <span className="id-text wrap-anywhere">{event}</span>{' '}
          <Ago className="text-small text-soft" at={created} />
        </>
      ),
    },
    {
      title: 'webhooks.deliveries.state',
      folded: 'narrow:text-end',
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`webhooks.deliveries.${state}`)}</Badge>,
    },
    {
      title: 'webhooks.deliveries.answer',
      look: 'text-soft wrap-anywhere',
      folded: 'narrow:row-start-2 narrow:text-small',
      cell: ({ status, answer, error, took }) => (
        <details>
          <summary>
            {took === null
              ? '–'
              : t('webhooks.deliveries.took', { answer: status ?? error ?? '', ms: took })}
          </summary>
          <pre className="text-small whitespace-pre-wrap">{answer}</pre>
        </details>
      ),
    },
    {
      title: 'webhooks.deliveries.actions',
      unnamed: true,
      end: true,
      folded: 'narrow:row-start-2',
      cell: ({ id, state }) =>
        sendAgain &&
        (state === 'delivered' || state === 'failed') && (
          <Button onClick={() => sendAgain(id)}>{t('webhooks.deliveries.again')}</Button>
        ),
    },
  ]
}
