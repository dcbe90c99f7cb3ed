import { SearchX, UserPlus, UsersRound } from 'lucide-react'
import { usePagedCall } from '../../api/queries.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card, EmptyState } from '../../components/card.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Pagination, Table, TableSkeleton } from '../../components/table.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { SeatMeter } from '../../components/seat-meter.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { usePages, useSearch } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useUserColumns } from './use-user-columns.tsx'

export function Users() {
  const t = useT()
  const { subscriptionId, isActive, pathTo } = useProject()
  const pages = usePages()
  const search = useSearch()
  const input = { subscriptionId, search: search.search }
  const found = usePagedCall('getSubscriptionUsers', input, pages)
  const { data, error, refetch } = found
  const isAlone =
    isActive &&
    !search.search &&
    pages.page === 1 &&
    data &&
    data.seats.members + data.seats.pending === 1
  const { columns, region, refused, dialog } = useUserColumns()
  const invite = (
    <ButtonLink to={pathTo('invite')} variant="primary" icon={<UserPlus />}>
      {t('users.invite')}
    </ButtonLink>
  )

  return (
    <>
      <PageTitle title={t('users.title')} action={isActive && invite} />
      {!isActive && (
        <Message tone="neutral" title={t('errors.subscriptionCanceled')}>
          {t('users.canceled')}
        </Message>
      )}
      <LiveRegion>{refused}</LiveRegion>
      <section ref={region} tabIndex={-1} aria-label={t('users.title')} className="outline-none">
        <Card flush>
          <div className="flex min-h-19 flex-wrap items-center justify-between gap-x-8 gap-y-4 border-b border-line p-inset">
            <div className="flex min-h-9 w-full items-center fold:w-80">
              {data ? (
                <SeatMeter seats={data.seats} />
              ) : (
                !error && <Skeleton className="grid w-full gap-2" bones={['h-3.5 w-40', 'h-1.5']} />
              )}
            </div>
            <SearchField label={t('users.search')} search={search} className="w-full fold:w-72" />
          </div>
          {error && !data && (
            <div className="p-inset">
              <Problem error={error} failed="users.loadFailed" retry={refetch} />
            </div>
          )}
          {!data && !error && <TableSkeleton />}
          <LiveRegion>
            {data?.total === 0 && search.search && (
              <EmptyState
                bare
                icon={<SearchX />}
                title={t('users.noMatchTitle', { search: search.search })}
                action={<Button onClick={search.clear}>{t('users.clearSearch')}</Button>}
              >
                {t('users.noMatch')}
              </EmptyState>
            )}
          </LiveRegion>
          {data && data.total > 0 && (
            <>
              <Table
                caption={t('users.title')}
                columns={columns}
                rows={data.users}
                folded="narrow:grid-cols-[minmax(0,1fr)_auto_auto]"
                pages={pages}
              />
              {isAlone ? (
                <div className="border-t border-line">
                  <EmptyState
                    bare
                    icon={<UsersRound />}
                    title={t('users.aloneTitle')}
                    action={
                      <ButtonLink to={`${pathTo('invite')}?several`}>
                        {t('users.inviteSeveral')}
                      </ButtonLink>
                    }
                  >
                    {t('users.alone')}
                  </EmptyState>
                </div>
              ) : (
                <Pagination pages={pages} found={found} total={data.total} />
              )}
            </>
          )}
        </Card>
      </section>
      {dialog}
    </>
  )
}
