import { languages } from '#config/languages.ts'
import type { ProjectBilling } from '#contract/entities.ts'
import { useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { AddressFields, billingDetailsOf } from '../../components/address-fields.tsx'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Checkbox, textOf, TextField } from '../../components/fields.tsx'
import { FormDraft } from '../../components/form-draft.tsx'
import { Problem } from '../../components/message.tsx'
import { Bone, FieldBones, Skeleton } from '../../components/skeleton.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { TaxIdFields, taxIdOf, untypedTaxId } from './tax-id-fields.tsx'

export function UpdateBillingDetails() {
  const { subscriptionId } = useProject()
  const { data, error, isFetching, refetch } = useCall('getBillingDetails', { subscriptionId })
  const [known, setKnown] = useState<ProjectBilling>()
  // Starts the form with fresh details. Later ones replace what the user has not touched.
  if (data && !isFetching && data !== known) setKnown(data)
  return (
    <FormPage title="billing.details.title" intro="billing.details.intro">
      {known && <DetailsForm known={known} />}
      {!known && <Problem error={error} failed="billing.details.loadFailed" retry={refetch} />}
      {!known && !error && <DetailsSkeleton />}
    </FormPage>
  )
}

function DetailsForm({ known }: { known: ProjectBilling }) {
  const t = useT()
  const { user, subscriptionId, pathTo } = useProject()
  const language = useLanguage()
  const [country, setCountry] = useState(known.address.country || languages[language].country)

  function input(values: FormData) {
    return {
      subscriptionId,
      ...billingDetailsOf(values),
      billing_email: textOf(values, 'billing_email').trim() || null,
      tax_id: taxIdOf(values),
      purchase_order: textOf(values, 'purchase_order').trim() || null,
      invoice_footer: textOf(values, 'invoice_footer').trim() || null,
      receipts: values.has('receipts'),
    }
  }

  return (
    <CallForm
      call="updateBillingDetails"
      input={input}
      check={untypedTaxId}
      submit="billing.details.save"
      done="billing.details.saved"
      failed="billing.details.failed"
      then={pathTo('billing')}
    >
      <FormDraft ofPayer />
      <AddressFields nameLabel="billing.details.name" known={known} onCountry={setCountry} />
      <TaxIdFields known={known.tax_id} country={country} />
      <AddressField
        name="billing_email"
        label="billing.details.email"
        hint={
          known.billing_email_refused ? 'billing.details.emailRefused' : 'billing.details.emailHint'
        }
        autoComplete="off"
        placeholder={user.email}
        defaultValue={known.billing_email ?? ''}
        maxLength={254}
      />
      <TextField
        name="purchase_order"
        label="billing.details.purchaseOrder"
        hint="billing.details.optional"
        autoComplete="off"
        defaultValue={known.purchase_order ?? ''}
        maxLength={140}
      />
      <TextField
        name="invoice_footer"
        label="billing.details.footer"
        hint="billing.details.optional"
        autoComplete="off"
        defaultValue={known.invoice_footer ?? ''}
        maxLength={500}
      />
      <Checkbox name="receipts" defaultChecked={known.receipts}>
        {t('billing.details.receipts')}
      </Checkbox>
    </CallForm>
  )
}

function DetailsSkeleton() {
  return (
    <Skeleton className="grid gap-4">
      <FieldBones count={4} />
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldBones count={6} />
      </div>
      <FieldBones count={1} />
      <Bone className="my-2 h-5 w-72" />
      <Bone className="ms-auto h-10 w-60" />
    </Skeleton>
  )
}
