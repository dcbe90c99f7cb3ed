import { slug } from '#contract/slug.ts'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { saveFile } from '../../platform/save-file.ts'

/** Downloads all data of the signed-in person. */
export function useOwnData() {
  const { user } = useSession()
  const { busy, error, run } = useAction('exportUser')

  function save({ data }: { data: unknown }) {
    saveFile(`${slug}-${user.uid}.json`, JSON.stringify(data, null, 2), 'application/json')
  }

  return { busy, error, download: () => void run({}, save) }
}
