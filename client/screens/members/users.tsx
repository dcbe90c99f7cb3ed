import { projectPath } from '#contract/paths.ts'
import { UserPlus } from 'lucide-react'
import { useCall } from '../../api/queries.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { Problem } from '../../components/problem.tsx'
import { SeatMeter } from '../../components/seat-meter.tsx'
import { Table, TableSkeleton } from '../../components/table.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useUserColumns } from './use-user-columns.tsx'

export function Users() {
  const t = useT()
  const { subscription, plan, isActive } = useProject()
  const { page, pageSize, inView, turnTo } = usePages()
  const columns = useUserColumns()
  const { data, error, refetch } = useCall(
    'getSubscriptionUsers',
    { subscriptionId: subscription.id, page, pageSize },
    { keepPrevious: true },
  )
  const members = subscription.permissions.access?.length ?? 0
  return (
    <>
      <PageTitle
        title={t('users.title')}
        action={
          isActive && (
            <ButtonLink to={projectPath('invite', subscription.id)} variant="primary" icon={<UserPlus aria-hidden />}>
              {t('users.invite')}
            </ButtonLink>
          )
        }
      />
      {error && <Problem error={error} failed="users.loadFailed" retry={() => void refetch()} />}
      {!error && (
        <Card flush>
          <div className="flex min-h-19 items-center border-b border-line px-4 py-4 sm:px-5">
            {data && <SeatMeter used={data.total} pending={data.total - members} seats={plan.seats} />}
          </div>
          {data ? (
            <Table caption={t('users.title')} columns={columns} rows={data.users} rowKey={({ id }) => id} inView={inView} />
          ) : (
            <TableSkeleton />
          )}
          {data && <Pagination {...{ page, pageSize, turnTo }} total={data.total} />}
        </Card>
      )}
    </>
  )
}
