import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Breakable } from '../../components/breakable.tsx'
import { classes } from '../../components/classes.ts'
import { TextLink } from '../../components/button.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { WrongAddress } from '../profile/send-verification.tsx'

/** Says where the receipt goes, while a mistyped address can still be corrected. */
export function ReceiptTo({ billingEmail }: { billingEmail?: string | null }) {
  const t = useT()
  const { user } = useSession()
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-soft">
      <p className="wrap-anywhere">
        <Breakable text={t('createPlan.receiptTo', { email: billingEmail ?? user.email })} />
      </p>
      {billingEmail && <OtherAddress />}
      {!billingEmail && !user.claimed && (
        // Where it has a line of its own, its words begin under the others.
        <span className="-ms-3.75">
          <WrongAddress />
        </span>
      )}
    </div>
  )
}

function OtherAddress() {
  const t = useT()
  const { pathTo } = useProject()
  return <TextLink to={pathTo('updateBillingDetails')}>{t('profile.wrongAddress.action')}</TextLink>
}

/** The same for a project, unless it wants no receipts. Keeps its place until that is known. */
export function ReceiptOfProject() {
  const { subscriptionId } = useProject()
  const { data } = useCall('getBillingDetails', { subscriptionId })
  if (data && !data.receipts) return null
  return (
    <div className={classes(!data && 'invisible')}>
      <ReceiptTo billingEmail={data?.billing_email ?? null} />
    </div>
  )
}
