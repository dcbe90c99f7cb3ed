import { product } from '#config/product.ts'
import type { Activity } from '#contract/entities.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { saveFile } from '../../platform/save-file.ts'
import { toCsv } from './to-csv.ts'
import { useActivityWords } from './use-activity-words.ts'

type Format = 'csv' | 'json'
type Project = { id: string; name: string }

/** Names for programs, as the fields of the JSON; only the description is in words. */
const heads = 'time kind actor actor_id subject project project_id description details'.split(' ')

/** They hold all the activity of a project or of the user, however the list is narrowed. */
export function useDownloads(project: Project | undefined) {
  const t = useT()
  const { nameOf, sentence } = useActivityWords()
  const { busy, error, run } = useAction(project ? 'exportActivity' : 'exportOwnActivity')
  const [asked, setAsked] = useState<Format>()

  function download(format: Format) {
    if (busy) return
    setAsked(format)
    void run(project ? { subscriptionId: project.id } : {}, ({ activity }) => {
      const entries = activity.map(withTime)
      const name = inFileName(`${project?.name ?? product.name} ${t('activity.title')}`)
      const file = `${name}-${new Date().toISOString().slice(0, 10)}.${format}`
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
      sentence(entry),
      JSON.stringify(entry.details),
    ]
  }

  const button = (format: Format) => (
    <Button
      icon={<Download aria-hidden />}
      busy={busy && asked === format}
      onClick={() => download(format)}
    >
      {t(format === 'csv' ? 'activity.downloadCsv' : 'activity.downloadJson')}
    </Button>
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

function inFileName(name: string) {
  return name
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()
}
