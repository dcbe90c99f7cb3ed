import { paths } from '#contract/paths.ts'
import { Plus } from 'lucide-react'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { useT } from '../../platform/i18n.ts'
import { News } from '../../layouts/news.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { Projects, useProjects } from './projects.tsx'

export function Dashboard() {
  const t = useT()
  const { user } = useSession()
  const projects = useProjects()
  const { data } = useCall('listInvites', {}, { enabled: !user.claimed })
  const { isEmpty, found } = projects
  const isLoading = !found.data && !found.error
  return (
    <>
      <PageTitle
        title={t('dashboard.title')}
        action={
          <ButtonLink
            to={paths.createPlan}
            variant="primary"
            icon={<Plus />}
            // An empty list has this button itself. It waits for the list, so that it doesn't disappear
            // while it has the focus. Its room stays, except on a phone, where it may be a whole row.
            className={classes((isEmpty || isLoading) && 'invisible', isEmpty && 'max-sm:hidden')}
          >
            {t('dashboard.create')}
          </ButtonLink>
        }
      />
      <News />
      {!user.claimed && <VerifyEmailNote text={data?.waiting ? 'invites.waiting' : undefined} />}
      <Projects {...projects} />
    </>
  )
}
