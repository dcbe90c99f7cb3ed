import { paths } from '#contract/paths.ts'
import { ButtonLink } from '../components/button.tsx'
import { useT } from '../platform/i18n.ts'
import { AuthCard } from '../layouts/auth-layout.tsx'

export function NotFound() {
  const t = useT()
  return (
    <AuthCard title={t('common.notFoundTitle')} intro={t('common.notFound')}>
      <ButtonLink to={paths.home} variant="primary" size="large">
        {t('common.toProjects')}
      </ButtonLink>
    </AuthCard>
  )
}
