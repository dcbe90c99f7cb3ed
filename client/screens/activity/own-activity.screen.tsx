import { product } from '#config/product.ts'
import { activityAreas } from '#contract/activity.ts'
import { paths } from '#contract/paths.ts'
import { usePagedCall } from '../../api/queries.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useT } from '../../i18n.ts'
import { ActivityPage } from './activity-page.tsx'
import { useArea } from './use-area.tsx'

export function OwnActivity() {
  const t = useT()
  const pages = usePages()
  const area = useArea(activityAreas)
  const found = usePagedCall('listOwnActivity', area.input, pages)
  return (
    <>
      <ActivityPage
        title="activity.ownTitle"
        intro="activity.ownIntro"
        noMatch="activity.noOwnMatch"
        own
        downloads={{ name: `${product.name} ${t('activity.title')}` }}
        {...{ found, pages, area }}
      />
      <p>
        <TextLink to={paths.profile}>{t('activity.backToProfile')}</TextLink>
      </p>
    </>
  )
}
