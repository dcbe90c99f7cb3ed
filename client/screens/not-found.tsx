import { paths, projectPath } from '#contract/paths.ts'
import { ButtonLink } from '../components/button.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useT } from '../platform/i18n.ts'
import { AuthCard } from '../layouts/auth-layout.tsx'
import { useOpenProject } from '../layouts/use-project.ts'

/** `framed` is for signed-in people, whose frame is around it. */
export function NotFound({ framed = false }) {
  const t = useT()
  const project = useOpenProject()
  const texts = { title: t('common.notFoundTitle'), intro: t('common.notFound') }
  const link = (
    <ButtonLink
      to={project ? projectPath('subscription', project.id) : paths.home}
      variant="primary"
      size="large"
    >
      {t(project ? 'project.open' : 'common.toProjects')}
    </ButtonLink>
  )
  if (framed) return <PageTitle {...texts} action={link} />
  return <AuthCard {...texts}>{link}</AuthCard>
}
