import { Download } from 'lucide-react'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/use-session.tsx'
import { Button } from '../../components/button.tsx'
import { LiveProblem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { saveFile } from '../../save-file.ts'
import { Offer } from './offer.tsx'

export function OwnData() {
  const t = useT()
  const { user } = useSession()
  const { busy, error, run } = useAction('exportUser')
  const download = () =>
    run({}, ({ data }) =>
      saveFile(`atrium-${user.uid}.json`, JSON.stringify(data, null, 2), 'application/json'),
    )
  const button = (
    <Button icon={<Download aria-hidden />} busy={busy} onClick={() => void download()}>
      {t('profile.ownData.download')}
    </Button>
  )
  return (
    <Offer title="profile.ownData.title" text="profile.ownData.text" action={button}>
      <LiveProblem error={error} failed="profile.ownData.failed" className="mt-3" />
    </Offer>
  )
}
