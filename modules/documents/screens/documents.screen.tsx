import { useT } from '../../../client/platform/i18n.ts'
import { PageTitle } from '../../../client/components/page-title.tsx'

export function Documents() {
  const t = useT()
  return <PageTitle title={t('documents.title')} />
}
