import { languages } from '#config/languages.ts'
import {
  addressOrder,
  countries,
  postalCodeName,
  regionName,
  withoutPostalCode,
  withState,
} from '#contract/address.ts'
import type { BillingDetails } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useContext, useMemo, useState } from 'react'
import { useLanguage, useT } from '../platform/i18n.ts'
import { missingText } from './field-errors.ts'
import { FormErrors, SelectField, TextField, textOf } from './fields.tsx'
import { LiveRegion, Message } from './message.tsx'

type AddressFieldsProps = {
  /** Begins the name of every field: `billing.` makes `billing.address.city`. */
  prefix?: string
  nameLabel?: MessageKey
  /** The values that the fields start with. */
  known?: Partial<BillingDetails>
  onCountry?: (country: string) => void
}

/** The text fields, each with its label and the browser's name for autofill. */
const texts = {
  name: { label: 'billing.address.name', autoComplete: 'name' },
  'address.line1': { label: 'billing.address.line1', autoComplete: 'address-line1' },
  'address.line2': { label: 'billing.address.line2', autoComplete: 'address-line2' },
  'address.city': { label: 'billing.address.city', autoComplete: 'address-level2' },
  'address.state': { label: 'billing.address.state', autoComplete: 'address-level1' },
  'address.postal_code': { label: 'billing.address.postalCode', autoComplete: 'postal-code' },
  phone: { label: 'billing.address.phone', autoComplete: 'tel' },
} as const

export function AddressFields(props: AddressFieldsProps) {
  const { prefix = '', nameLabel = texts.name.label, known, onCountry } = props
  const language = useLanguage()
  const t = useT()
  const [country, setCountry] = useState(known?.address?.country || languages[language].country)
  const errors = useContext(FormErrors)
  const isIncomplete = [...Object.keys(texts), 'address.country'].some(
    (field) => errors[prefix + field] === missingText(field, t),
  )

  function choose(code: string) {
    setCountry(code)
    onCountry?.(code)
  }

  const text = (path: keyof typeof texts, value: string | undefined, maxLength = 200) => ({
    ...texts[path],
    name: `${prefix}${path}`,
    defaultValue: value,
    maxLength,
  })
  const address = known?.address
  const [region, code] = [regionName(country), postalCodeName(country)]
  const parts = {
    line1: <TextField {...text('address.line1', address?.line1)} required />,
    line2: <TextField {...text('address.line2', address?.line2)} />,
    city: <TextField {...text('address.city', address?.city)} required />,
    state: (
      <TextField
        {...text('address.state', address?.state)}
        {...(region && { label: `billing.address.region.${region}` })}
        required={withState.has(country)}
      />
    ),
    postal_code: (
      <TextField
        {...text('address.postal_code', address?.postal_code, 20)}
        {...(code && { label: `billing.address.code.${code}` })}
        required={!withoutPostalCode.has(country)}
      />
    ),
  }
  return (
    <>
      <LiveRegion>
        {isIncomplete && <Message tone="bad">{t('errors.addressIncomplete')}</Message>}
      </LiveRegion>
      <TextField {...text('name', known?.name)} label={nameLabel} required />
      <SelectField
        name={`${prefix}address.country`}
        label="billing.address.country"
        autoComplete="country"
        required
        value={country}
        onChange={({ target }) => choose(target.value)}
      >
        {useCountryNames(language).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-2">
        {addressOrder(country).map((part) => (
          <div key={part} className={part.startsWith('line') ? 'sm:col-span-2' : undefined}>
            {parts[part]}
          </div>
        ))}
        <TextField {...text('phone', known?.phone, 20)} type="tel" required />
      </div>
    </>
  )
}

export function billingDetailsOf(values: FormData, prefix = ''): BillingDetails {
  const read = (name: string) => textOf(values, `${prefix}${name}`).trim()
  const line2 = read('address.line2')
  return {
    name: read('name'),
    phone: read('phone'),
    address: {
      line1: read('address.line1'),
      ...(line2 && { line2 }),
      city: read('address.city'),
      state: read('address.state'),
      postal_code: read('address.postal_code'),
      country: read('address.country'),
    },
  }
}

function useCountryNames(language: string) {
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    const collator = new Intl.Collator(language)
    return countries
      .map((code) => ({ code, name: names.of(code) ?? code }))
      .toSorted((a, b) => collator.compare(a.name, b.name))
  }, [language])
}
