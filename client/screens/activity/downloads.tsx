import type { Activity } from '#contract/entities.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { Button } from '../../components/button.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { saveFile } from '../../save-file.ts'
import { toCsv } from './to-csv.ts'
import { useActorName } from './use-actor-name.ts'
import { useSentence } from './use-sentence.ts'

type Format = 'csv' | 'json'

type DownloadsProps = {
  /** The start of the file's name. */
  name: string
  /** Missing for the user's own activity. */
  subscriptionId?: string
}

/** The downloads hold all the activity, however the list is narrowed. */
export function useDownloads({ name, subscriptionId }: DownloadsProps) {
  const t = useT()
  const toRows = useRows()
  const [busy, setBusy] = useState<Format>()
  const [error, setError] = useState<CallError>()

  async function download(format: Format) {
    if (busy) return
    setBusy(format)
    setError(undefined)
    try {
      const { activity } = await (subscriptionId === undefined
        ? call('exportOwnActivity', {})
        : call('exportActivity', { subscriptionId }))
      const file = `${inFileName(name)}-${new Date().toISOString().slice(0, 10)}.${format}`
      if (format === 'csv') saveFile(file, toCsv(toRows(activity)), 'text/csv')
      else saveFile(file, JSON.stringify(activity.map(withTime), null, 2), 'application/json')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setError(error)
    } finally {
      setBusy(undefined)
    }
  }

  const button = (format: Format) => (
    <Button
      icon={<Download aria-hidden />}
      busy={busy === format}
      onClick={() => void download(format)}
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

/** Names for programs, as the fields of the JSON; only the description is in words. */
const heads = 'time kind actor actor_id subject project project_id description details'.split(' ')

function useRows() {
  const nameOf = useActorName()
  const sentence = useSentence()
  return (activity: Activity[]) => [
    heads,
    ...activity.map((entry) => [
      timeOf(entry),
      entry.kind,
      nameOf(entry),
      entry.actor?.id ?? '',
      entry.subject ?? '',
      entry.subscription?.name ?? '',
      entry.subscription?.id ?? '',
      sentence(entry),
      JSON.stringify(entry.details),
    ]),
  ]
}

function withTime({ created, ...entry }: Activity) {
  return { time: timeOf({ created }), ...entry }
}

function timeOf({ created }: Pick<Activity, 'created'>) {
  return new Date(created * 1000).toISOString()
}

function inFileName(name: string) {
  return (
    name
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
      .toLowerCase() || 'activity'
  )
}
