import { paths } from '#contract/paths.ts'
import { projectName } from '#contract/project-name.ts'
import { Bell, CheckCheck } from 'lucide-react'
import { useAction } from '../../../client/api/call.ts'
import { useCall, usePagedCall } from '../../../client/api/queries.ts'
import { Ago } from '../../../client/components/ago.tsx'
import { Button, TextLink } from '../../../client/components/button.tsx'
import { ListChoice } from '../../../client/components/list-tools.tsx'
import { LiveProblem } from '../../../client/components/message.tsx'
import { PagedList } from '../../../client/components/paged-list.tsx'
import { PageTitle } from '../../../client/components/page-title.tsx'
import { rowLink, type Column } from '../../../client/components/table.tsx'
import { useChoice, usePages, useQuery } from '../../../client/components/use-query.ts'
import { useLanguage, useT } from '../../../client/platform/i18n.ts'
import type { Notice } from '../contract.ts'
import { Dot } from './dot.tsx'

export function Notices() {
  const t = useT()
  const language = useLanguage()
  const pages = usePages()
  const [, change] = useQuery()
  const projects = useCall('listSubscriptions', { page: 1, pageSize: 100 }).data?.subscriptions
  const [project, chooseProject] = useChoice('project', projects?.map(({ id }) => id) ?? [])
  const [state, chooseState] = useChoice('state', ['unread'])
  const { data: counted } = useCall('countNotices', {})
  const { busy, error, run } = useAction('markNoticesRead')
  const wanted = { language, project, unread: state === 'unread' || undefined }
  const found = usePagedCall('listNotices', wanted, pages)
  return (
    <>
      <PageTitle
        title={t('notices.title')}
        action={
          counted &&
          counted.unread > 0 && (
            <Button icon={<CheckCheck />} busy={busy} onClick={() => void run({})}>
              {t('notices.markAll')}
            </Button>
          )
        }
      />
      <LiveProblem error={error} failed="notices.markFailed" />
      <PagedList
        title={t('notices.title')}
        choices={
          <>
            <ListChoice label={t('notices.project')} value={project} choose={chooseProject}>
              <option value="">{t('notices.allProjects')}</option>
              {projects?.map(({ id, settings }) => (
                <option key={id} value={id}>
                  {projectName(settings) || t('common.untitledProject')}
                </option>
              ))}
            </ListChoice>
            <ListChoice label={t('notices.what')} value={state} choose={chooseState}>
              <option value="">{t('notices.both')}</option>
              <option value="unread">{t('notices.only')}</option>
            </ListChoice>
          </>
        }
        found={found}
        rows={found.data?.notices}
        pages={pages}
        columns={useColumns((id) => void run({ noticeIds: [id] }))}
        folded="narrow:grid-cols-[minmax(0,1fr)_auto]"
        failed="notices.loadFailed"
        noMatch={
          (project || state) && { title: t('notices.noMatchTitle'), text: t('notices.noMatch') }
        }
        showAll={{
          label: t('notices.showAll'),
          onClick: () =>
            change((query) => ['project', 'state'].forEach((name) => query.delete(name))),
        }}
        empty={{ icon: <Bell />, title: t('notices.emptyTitle'), text: t('notices.empty') }}
      />
      <p className="text-small">
        <TextLink to={`${paths.profile}#emails`}>{t('notices.choose')}</TextLink>
      </p>
    </>
  )
}

function useColumns(markRead: (id: string) => void): Column<Notice>[] {
  const t = useT()
  return [
    {
      title: 'notices.what',
      folded: 'narrow:col-span-2',
      cell: ({ id, title, by, path, is_read }) => (
        <span className="flex items-baseline gap-2.5">
          <Dot isUnread={!is_read} />
          <span className="min-w-0 wrap-anywhere">
            <TextLink to={path} className={rowLink} onClick={() => is_read || markRead(id)}>
              {title}
            </TextLink>
            {by !== null && <span className="text-soft"> {t('notices.by', { name: by })}</span>}
          </span>
        </span>
      ),
    },
    {
      title: 'notices.project',
      look: 'text-soft wrap-anywhere',
      folded: 'narrow:row-start-2 narrow:ps-4 narrow:text-small',
      cell: ({ subscription_id, project }) =>
        subscription_id === null ? t('notices.account') : project || t('common.untitledProject'),
    },
    {
      title: 'notices.when',
      end: true,
      look: 'text-soft',
      folded: 'narrow:row-start-2 narrow:text-end narrow:text-small',
      cell: ({ created }) => <Ago at={created} />,
    },
  ]
}
