import { openJobs, type Tries } from '../core/jobs.ts'
import { runTool } from './run-tool.ts'
import { StartError } from '../platform/start-error.ts'
import type pg from 'pg'
import { inTransaction, type Db } from '../store/database.ts'
import { openStore } from '../store/store.ts'

const usage = 'npm run inbox, npm run inbox -- replay EVENT_ID, or npm run inbox -- replay all'

/** Lists or replays the events that failed in the webhook inbox. Returns the text to print. */
export async function inbox(db: Db, [command, which, ...rest]: string[]) {
  if (command === undefined) return listFailed(db)
  if (command !== 'replay' || which === undefined || rest.length > 0)
    throw new StartError(`Usage: ${usage}`)
  const ids = await replay(db, which)
  if (which !== 'all' && ids.length === 0)
    throw new StartError(`There is no failed event ${which} in the inbox.`)
  return ids.length === 0
    ? nothing
    : `Queued again, and worked on as soon as a server runs: ${ids.join(', ')}`
}

const nothing = 'Nothing has failed in the inbox.'

async function listFailed(db: Db) {
  const events = await openStore(db).providerEvents.listFailed()
  if (events.length === 0) return nothing
  const tries = await openJobs(db).mapTries(events.map(({ id }) => id))
  const rows = events.map(({ id, type, objectId, receivedAt, error }) => [
    id,
    type,
    objectId,
    inWords(receivedAt),
    nextTry(tries.get(id)),
    // Shows only the first line, because the others may contain values of a query.
    error!.split('\n')[0]!,
  ])
  return table([
    ['EVENT', 'TYPE', 'OBJECT', 'RECEIVED (UTC)', 'TRIED AGAIN (UTC)', 'ERROR'],
    ...rows,
  ])
}

async function replay(db: Db, which: string) {
  return inTransaction(db.$client as pg.Pool, async (tx) => {
    const failed = (await openStore(tx).providerEvents.listFailed()).map(({ id }) => id)
    const chosen = failed.filter((id) => which === 'all' || id === which)
    for (const id of chosen) await openJobs(tx).add('processEvent', { eventId: id }, { key: id })
    return chosen
  })
}

function nextTry(tries: Tries | undefined) {
  if (!tries?.nextAt) return 'no more'
  return `${inWords(new Date(tries.nextAt))}, ${tries.attempts} of ${tries.maxAttempts} done`
}

function inWords(at: Date) {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

function table(rows: string[][]) {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

if (import.meta.main) await runTool(inbox)
