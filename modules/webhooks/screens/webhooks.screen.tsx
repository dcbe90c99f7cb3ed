import { Plus, Webhook } from 'lucide-react'
import { useCall } from '../../../client/api/queries.ts'
import { ButtonLink, TextLink } from '../../../client/components/button.tsx'
import { Badge, Card, EmptyState } from '../../../client/components/card.tsx'
import { Message, Problem } from '../../../client/components/message.tsx'
import { PageTitle } from '../../../client/components/page-title.tsx'
import { rowLink, TableSkeleton } from '../../../client/components/table.tsx'
import { useProject } from '../../../client/layouts/use-project.ts'
import { useT } from '../../../client/platform/i18n.ts'

export function Webhooks() {
  const t = useT()
  const { subscriptionId, closed, pathTo } = useProject()
  const { data, error, refetch } = useCall('listWebhooks', { subscriptionId })
  const isEmpty = data?.webhooks.length === 0
  const add = !closed && (
    <ButtonLink to={pathTo('webhook')} variant="primary" icon={<Plus />}>
      {t('webhooks.new')}
    </ButtonLink>
  )
  return (
    <>
      <PageTitle title={t('webhooks.title')} action={!isEmpty && add} />
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      {!data && error && <Problem error={error} failed="webhooks.loadFailed" retry={refetch} />}
      {!data && !error && <TableSkeleton />}
      {isEmpty && (
        <EmptyState icon={<Webhook />} title={t('webhooks.emptyTitle')} action={add}>
          {t('webhooks.empty')}
        </EmptyState>
      )}
      {data?.webhooks.map(({ id, url, status }) => (
        <Card key={id} className="relative transition-colors hover:bg-tint">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <TextLink to={`${pathTo('webhook')}?webhook=${id}`} className={rowLink}>
              <span className="wrap-anywhere">{url}</span>
            </TextLink>
            <Badge dot tone={status === 'on' ? 'good' : 'warn'}>
              {t(`webhooks.${status}`)}
            </Badge>
          </div>
        </Card>
      ))}
    </>
  )
}
