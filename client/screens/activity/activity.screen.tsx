import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import { activityAreas } from '#contract/activity.ts'
import type { Activity } from '#contract/entries.ts'
import { projectPath } from '#contract/paths.ts'
import { History } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../api/call.ts'
import { usePagedCall } from '../../api/queries.ts'
import { TextLink } from '../../components/button.tsx'
import { DownloadButton } from '../../components/download-button.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import type { Column } from '../../components/table.tsx'
import { ListChoice } from '../../components/list-tools.tsx'
import { Ago } from '../../components/ago.tsx'
import { useChoice, usePages, useSearch } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'
import { projectTitle, useOpenProject } from '../../layouts/use-project.ts'
import { datedFileName, saveFile } from '../../platform/save-file.ts'
import { toCsv } from './to-csv.ts'
import { areaOf, WhoDidWhat, useActivityWords } from './who-did-what.tsx'

const daysKept = Math.round(limits.activity.kept / (24 * 3_600_000))

/** The activity of the open project. Outside a project, the user's own activity in all projects. */
export function Activity() {
  const t = useT()
  const project = useOpenProject()
  const own = !project
  const title = t(own ? 'activity.ownTitle' : 'activity.title')
  const pages = usePages()
  const search = useSearch()
  const [area, chooseArea] = useChoice('area', activityAreas)
  const input = own ? { area } : { subscriptionId: project.id, area, search: search.search }
  const found = usePagedCall(own ? 'listOwnActivity' : 'listActivity', input, pages)
  const columns = useActivityColumns(own)
  const { buttons, problem } = useDownloads()
  // Only the user sees the activity of their own account.
  const areas = activityAreas.filter((area) => own || area !== 'account')
  const isNarrowed = Boolean(area || (!own && search.search))

  function showAll() {
    search.clear()
    chooseArea('')
  }

  return (
    <>
      <PageTitle
        title={title}
        intro={t(own ? 'activity.ownIntro' : 'activity.intro', { count: daysKept })}
        action={buttons}
      />
      {problem}
      <PagedList
        title={title}
        search={own ? undefined : { ...search, label: t('activity.search') }}
        choices={
          <ListChoice label={t('activity.area')} value={area} choose={chooseArea}>
            <option value="">{t('activity.areas.all')}</option>
            {areas.map((area) => (
              <option key={area} value={area}>
                {t(`activity.areas.${area}`)}
              </option>
            ))}
          </ListChoice>
        }
        found={found}
        rows={found.data?.activity}
        pages={pages}
        columns={columns}
        folded="narrow:grid-cols-[fit-content(70%)_minmax(0,1fr)]"
        failed="activity.loadFailed"
        noMatch={
          isNarrowed && {
            title: t('activity.noMatchTitle'),
            text: t(own ? 'activity.noOwnMatch' : 'activity.noMatch'),
          }
        }
        showAll={{ label: t('activity.showAll'), onClick: showAll }}
        empty={{
          icon: <History />,
          title: t('activity.emptyTitle'),
          text: t('activity.empty'),
        }}
      />
    </>
  )
}

/** `own`: the table shows the user's own activity, from all projects. */
function useActivityColumns(own: boolean): Column<Activity>[] {
  const t = useT()
  const where: Column<Activity> = {
    title: 'activity.where',
    look: 'text-soft wide:min-w-36',
    folded: 'narrow:ps-10 narrow:text-small',
    cell: ({ kind, subscription }) =>
      subscription ? (
        <TextLink to={projectPath('subscription', subscription.id)} className="block wrap-anywhere">
          {subscription.name || t('common.untitledProject')}
        </TextLink>
      ) : (
        t(areaOf(kind) === 'account' ? 'activity.account' : 'activity.formerProject')
      ),
  }
  return [
    {
      title: 'activity.what',
      folded: 'narrow:col-span-2',
      cell: (entry) => <WhoDidWhat entry={entry} own={own} />,
    },
    ...(own ? [where] : []),
    {
      title: 'activity.when',
      look: 'text-soft',
      folded: own
        ? "narrow:-ms-1.5 narrow:text-small narrow:before:me-1.5 narrow:before:content-['·']"
        : 'narrow:col-span-2 narrow:ps-10 narrow:text-small',
      cell: ({ created }) => <Ago at={created} />,
    },
  ]
}

type Format = 'csv' | 'json'

/** The column names of the CSV. They are for programs, so they are not translated. */
const heads = 'time kind actor actor_id subject project project_id description details'.split(' ')

/** Buttons that download all activity of the project or the user, whatever the filter or search. */
function useDownloads() {
  const t = useT()
  const project = useOpenProject()
  const { nameOf, sentence } = useActivityWords()
  const { busy, error, run } = useAction(project ? 'exportActivity' : 'exportOwnActivity')
  const [asked, setAsked] = useState<Format>()

  function download(format: Format) {
    if (busy) return
    setAsked(format)
    void run(project ? { subscriptionId: project.id } : {}, ({ activity }) => {
      const entries = activity.map(withTime)
      const whose = project ? projectTitle(project, t) : product.name
      const file = datedFileName(`${whose} ${t('activity.title')}`, format)
      if (format === 'csv') saveFile(file, toCsv([heads, ...entries.map(toRow)]), 'text/csv')
      else saveFile(file, JSON.stringify(entries, null, 2), 'application/json')
    })
  }

  function toRow(entry: ReturnType<typeof withTime>) {
    return [
      entry.time,
      entry.kind,
      nameOf(entry),
      entry.actor?.id ?? '',
      entry.subject ?? '',
      entry.subscription?.name ?? '',
      entry.subscription?.id ?? '',
      // People search the file with plain spaces.
      sentence(entry).replaceAll('\u{a0}', ' '),
      JSON.stringify(entry.details),
    ]
  }

  const button = (format: Format) => (
    <DownloadButton
      format={format}
      label={t(format === 'csv' ? 'activity.downloadCsv' : 'activity.downloadJson')}
      busy={busy && asked === format}
      onClick={() => download(format)}
    />
  )
  return {
    buttons: (
      <div className="flex flex-wrap gap-2">
        {button('csv')}
        {button('json')}
      </div>
    ),
    problem: <LiveProblem error={error} failed="activity.downloadFailed" />,
  }
}

function withTime({ created, ...entry }: Activity) {
  return { time: new Date(created * 1000).toISOString(), ...entry }
}
