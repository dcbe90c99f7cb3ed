import { Download } from 'lucide-react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../api/use-session.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'
import { saveFile } from '../../save-file.ts'

export function OwnData() {
  const t = useT()
  const { user } = useSession()
  const exporting = useAction('exportUser')
  return (
    <Card title={t('profile.ownData.title')} className="max-w-180">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-60 text-soft">{t('profile.ownData.text')}</p>
        <Button
          icon={<Download aria-hidden />}
          busy={exporting.busy}
          onClick={() =>
            void exporting.run({}, ({ data }) =>
              saveFile(
                `atrium-${user.uid}.json`,
                JSON.stringify(data, null, 2),
                'application/json',
              ),
            )
          }
        >
          {t('profile.ownData.download')}
        </Button>
      </div>
      <LiveRegion className="mt-3">
        {exporting.error && <Problem error={exporting.error} failed="profile.ownData.failed" />}
      </LiveRegion>
    </Card>
  )
}
