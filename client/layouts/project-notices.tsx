import { paths } from '#contract/paths.ts'
import { useState } from 'react'
import { matchPath, useLocation } from 'react-router'
import { Notice } from '../components/notice.tsx'
import { useT } from '../i18n.ts'
import { PaymentBanner } from './payment-banner.tsx'
import { useNews } from './use-news.ts'
import { useProject } from './use-project.ts'

/** News above every screen of a project about the project and the reader in it. */
export function ProjectNotices() {
  const t = useT()
  const { name: project } = useProject()
  const { news, putAway } = useNews()
  const canceled = useCanceled()
  return (
    <>
      <PaymentBanner />
      {news.demoted && (
        <Notice tone="warn" onDismiss={putAway}>
          {t('live.demoted', { project })}
        </Notice>
      )}
      {canceled.isNews && (
        <Notice tone="warn" onDismiss={canceled.putAway}>
          {t('live.canceled')}
        </Notice>
      )}
    </>
  )
}

/** Whether somebody else canceled the project while it was open. */
function useCanceled() {
  const { isActive } = useProject()
  const { pathname } = useLocation()
  const [{ wasActive, isNews }, setState] = useState({ wasActive: isActive, isNews: false })
  if (wasActive !== isActive)
    setState({
      wasActive: isActive,
      isNews: !isActive && !matchPath(paths.cancelSubscription, pathname),
    })
  return { isNews, putAway: () => setState({ wasActive, isNews: false }) }
}
