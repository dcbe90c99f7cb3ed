import { limits } from '#config/limits.ts'
import type { Activity } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useCall } from '../../api/queries.tsx'
import { Message } from '../../components/message.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

/** Says when and why the project ended, which is why all buttons below are disabled. */
export function CanceledNotice({ reasonId }: { reasonId: string }) {
  const t = useT()
  const { subscriptionId } = useProject()
  const asked = {
    subscriptionId,
    area: 'project',
    page: 1,
    pageSize: limits.pages.defaultSize,
  } as const
  const { data } = useCall('listActivity', asked)
  const end = data?.activity.find(({ kind }) => kind === 'projectCanceled')
  return (
    <Message
      tone="neutral"
      title={<span id={reasonId}>{t('errors.subscriptionCanceled')}</span>}
      action={
        <TextLink to={paths.profile} className="underline">
          {t('billing.cancel.toCards')}
        </TextLink>
      }
    >
      {end && (
        <>
          <How end={end} />{' '}
        </>
      )}
      {t('common.sentences', {
        first: t('billing.cancel.nothingMore'),
        second: t('billing.cancel.cards'),
      })}
    </Message>
  )
}

function How({ end: { created, actor, details } }: { end: Activity }) {
  const t = useT()
  const date = useFormat().date(created)
  if (details['because'] === 'unpaid') return t('billing.cancel.doneUnpaid', { date })
  return actor?.name
    ? t('billing.cancel.doneBy', { date, name: actor.name })
    : t('billing.cancel.doneOn', { date })
}
