import { MailCheck, ShieldCheck, UserPlus, UsersRound } from 'lucide-react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { EmptyState } from '../../components/card.tsx'
import { DownloadButton } from '../../components/download-button.tsx'
import { LiveProblem, LiveRegion, Message } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../platform/toasts.ts'
import { ChangeSeveral, fits, type Change } from './change-several.tsx'
import { JoinRequests } from './join-requests.tsx'
import { freeOf, SeatsInUse } from './seats.tsx'
import { SelectionBar, useSelection } from './selection.tsx'
import { useUserActions } from './use-user-actions.tsx'
import { useUserColumns } from './use-user-columns.tsx'
import { useUserCsv, useUserList, UserTools, type UserList } from './user-list.tsx'
import { useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'

export function Users() {
  const t = useT()
  const { isActive, closed, pathTo, subscription, asksForFactor } = useProject()
  const list = useUserList()
  const { data, error } = list.found
  const nobody = useNobody(list)
  const selection = useSelection(data?.users ?? [])
  const { actionsOf, rolesOf, ask, end, region, refused, dialog } = useUserActions()
  const csv = useUserCsv()
  const canSelect = isActive && selection.selectable.length > 0
  const isNarrowed = Boolean(list.filter || list.search.search)
  const isAlone =
    !closed &&
    !isNarrowed &&
    list.pages.page === 1 &&
    (data?.total ?? subscription.people.length) === 1
  const columns = useUserColumns({ isAlone, list, selection, actionsOf, rolesOf })

  function change(change: Change) {
    const people = selection.selected.filter((user) => fits(change, user))
    ask(<ChangeSeveral {...{ change, people }} onClose={finish} />)
  }

  function finish(done: string) {
    end(done)
    if (!done) return
    selection.clear()
    toast(done)
  }

  function clear() {
    selection.clear()
    region.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <PageTitle
        title={t('users.title')}
        action={
          <div className="flex flex-wrap gap-2">
            <DownloadButton
              format="csv"
              label={t('users.downloadCsv')}
              busy={csv.busy}
              disabled={!data}
              onClick={() => void csv.download()}
            />
            {!closed && (
              <ButtonLink
                to={pathTo('invite')}
                disabled={!data}
                variant={data && freeOf(data.seats) === 0 ? 'plain' : 'primary'}
                icon={<UserPlus />}
              >
                {t('users.invite')}
              </ButtonLink>
            )}
          </div>
        }
      >
        <div className="mt-2 flex min-h-9 items-center sm:max-w-80">
          {data ? (
            <SeatsInUse seats={data.seats} />
          ) : (
            !error && <Skeleton className="grid w-full gap-2" bones={['h-3.5 w-40', 'h-1.5']} />
          )}
        </div>
      </PageTitle>
      {!isActive && (
        <Message tone="neutral" title={t('errors.subscriptionCanceled')}>
          {t('users.canceled')}
        </Message>
      )}
      {!closed && asksForFactor && <SecondStepReminder />}
      {isActive && <JoinRequests />}
      <LiveProblem error={csv.error} failed="users.downloadFailed" />
      <LiveRegion>{refused}</LiveRegion>
      <section
        ref={region}
        tabIndex={-1}
        aria-label={t('users.title')}
        className="grid gap-3 outline-none"
      >
        <PagedList
          title={t('users.title')}
          choices={
            !isAlone && <UserTools list={list} selection={canSelect ? selection : undefined} />
          }
          found={list.found}
          rows={data?.users}
          pages={list.pages}
          columns={columns}
          folded={
            selection.isSelecting
              ? 'narrow:grid-cols-[auto_minmax(0,1fr)]'
              : 'narrow:grid-flow-col narrow:grid-cols-[minmax(0,1fr)]'
          }
          bones={3}
          failed="users.loadFailed"
          noMatch={isNarrowed && nobody}
          showAll={
            list.filter
              ? { label: t('users.filter.showAll'), onClick: list.showAll }
              : { label: t('users.clearSearch'), onClick: list.search.clear }
          }
          end={
            isAlone && (
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
            )
          }
        />
        {canSelect && <SelectionBar selection={selection} onChange={change} onClear={clear} />}
      </section>
      {dialog}
    </>
  )
}

/** Says why the search and filter find nobody. */
function useNobody({ search: { search }, filter }: UserList) {
  const t = useT()
  if (search)
    return {
      title: t('users.noMatchTitle', { search }),
      text: t(filter ? 'users.filter.noMatch' : 'users.noMatch'),
    }
  if (filter === 'without-factor')
    return {
      icon: <ShieldCheck />,
      title: t('users.secondStep.nobody'),
      text: t('users.secondStep.everybody'),
    }
  const isPending = filter === 'pending'
  return {
    icon: isPending ? <MailCheck /> : <UsersRound />,
    title: t(isPending ? 'users.filter.nonePendingTitle' : 'users.filter.noRoleTitle'),
    text: t(isPending ? 'users.filter.nonePending' : 'users.filter.noRole'),
  }
}

/** Says how many members can't pass the second step that the project asks for. */
function SecondStepReminder() {
  const t = useT()
  const { subscriptionId } = useProject()
  const { data } = useCall('getSubscriptionUsers', { subscriptionId, hasSecondFactor: false })
  const remind = useAction('remindOfSecondFactor')

  async function send() {
    const output = await remind.run({ subscriptionId })
    if (output) toast(t('users.secondStep.reminded', { count: output.reminded }))
  }

  return (
    <>
      {data && data.total > 0 && (
        <Message
          tone="neutral"
          action={
            <Button busy={remind.busy} onClick={() => void send()}>
              {t('users.secondStep.remind')}
            </Button>
          }
        >
          {t('users.secondStep.count', { count: data.total })}
        </Message>
      )}
      <LiveProblem
        error={remind.error}
        words={{ 'auth/too-many-requests': 'users.secondStep.tooSoon' }}
      />
    </>
  )
}
