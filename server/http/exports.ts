import { limits } from '#config/limits.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import { tooBusy } from '../running/busy.ts'

/** Characters that are gathered before they are sent. */
const chunk = 64 * 1024

type Export = {
  account: string
  /** What is exported: a project, or, if undefined, the account's own record. */
  project: string | undefined
  /** Throws once the caller may no longer read on. */
  judge: () => Promise<unknown>
  /** Breaks the connection, so that nobody takes a part for the whole. */
  breakOff: (() => void) | undefined
}

export type Exports = ReturnType<typeof openExports>

/**
 * Sends the answers of calls that are `streamed` while they are read, so that none is ever whole in
 * memory. Between two pages an export holds nothing of the database, however slow its reader is.
 */
export function openExports({ rateLimits }: Pick<Services, 'rateLimits'>) {
  /** The accounts that have an export in progress on this server. */
  const exporting = new Set<string>()

  return async function begin(
    { account, project, judge, breakOff }: Export,
    read: () => Promise<unknown>,
  ): Promise<ReadableStream> {
    if (exporting.has(account)) throw new Refusal('exportInProgress')
    if (exporting.size >= limits.exportsAtOnce) throw tooBusy()
    exporting.add(account)
    const texts = readOn()
    try {
      await rateLimits.consume(['exportsByAccount', `${account}:${project ?? ''}`])
      // What fails before the first text is refused like any other call.
      return streamOf(await texts.next())
    } catch (error) {
      exporting.delete(account)
      throw error
    }

    async function* readOn() {
      let gathered = ''
      for await (const part of jsonOf({ result: await read() })) {
        gathered += part
        if (gathered.length < chunk) continue
        yield gathered
        gathered = ''
        await judge()
      }
      yield gathered
    }

    function streamOf(first: IteratorResult<string, void>) {
      let next: typeof first | undefined = first
      let timer: NodeJS.Timeout
      let isOver = false
      const end = () => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        exporting.delete(account)
        // Ends once the question that it may have asked is answered.
        texts.return().catch(() => undefined)
      }
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            timer = setTimeout(() => {
              end()
              fail(controller, new Refusal('timeout'))
            }, limits.calls.timeout).unref()
          },
          async pull(controller) {
            try {
              const { done, value } = next ?? (await texts.next())
              next = undefined
              if (!done) return controller.enqueue(Buffer.from(value))
              end()
              controller.close()
            } catch (error) {
              end()
              fail(controller, error)
            }
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      )
    }

    function fail(controller: ReadableStreamDefaultController, error: unknown) {
      if (breakOff) breakOff()
      else controller.error(error)
    }
  }
}

/** The JSON of a value in parts. Lists that come in pages are lists in the text. */
async function* jsonOf(value: unknown): AsyncGenerator<string> {
  if (isPaged(value)) {
    let before = '['
    for await (const page of value) {
      yield before + page.map((item) => JSON.stringify(item)).join(',')
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  } else if (isRecord(value)) {
    let before = '{'
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* jsonOf(part)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}

function isPaged(value: unknown): value is AsyncIterable<unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** An object that may have lists in pages. Dates and others write themselves. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value?.constructor === Object
}
