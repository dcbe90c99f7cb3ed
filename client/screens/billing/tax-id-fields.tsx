import type { TaxId } from '#contract/entities.ts'
import { taxIdName, taxIdTypes, type TaxIdType } from '#contract/tax-ids.ts'
import { useState } from 'react'
import type { Check } from '../../components/field-errors.ts'
import { SelectField } from '../../components/select-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useLanguage, useT } from '../../i18n.ts'
import { usualTaxIds } from './usual-tax-ids.ts'

/** The kinds that are usual in the country come first; until one is chosen, it is the first of them. */
export function TaxIdFields({
  prefix = '',
  known,
  country,
}: {
  prefix?: string
  known: TaxId | null
  country: string
}) {
  const t = useT()
  const language = useLanguage()
  const [chosen, setChosen] = useState(known?.type)
  const usual = usualTaxIds(country)
  const others = taxIdTypes.filter((type) => !usual.includes(type))
  const countryName = new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        name={`${prefix}tax_id.type`}
        label="billing.details.taxIdType"
        value={chosen ?? usual[0] ?? ''}
        onChange={({ target }) => setChosen(target.value as TaxIdType)}
      >
        {usual.length === 0 && !chosen && (
          <option value="">{t('billing.details.taxIdChoose')}</option>
        )}
        {usual.length > 0 && (
          <Options label={t('billing.details.taxIdOf', { country: countryName })} types={usual} />
        )}
        <Options label={t('billing.details.taxIdOthers')} types={others} />
      </SelectField>
      <TextField
        name={`${prefix}tax_id.value`}
        label="billing.details.taxId"
        hint="billing.details.taxIdHint"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={known?.value}
        maxLength={40}
      />
    </div>
  )
}

function Options({ label, types }: { label: string; types: readonly TaxIdType[] }) {
  return (
    <optgroup label={label}>
      {types.map((type) => (
        <option key={type} value={type}>
          {taxIdName(type)}
        </option>
      ))}
    </optgroup>
  )
}

/** Nothing if none was typed. */
export function taxIdOf(values: FormData, prefix = ''): TaxId | null {
  const value = textOf(values, `${prefix}tax_id.value`).trim()
  return value ? { type: textOf(values, `${prefix}tax_id.type`) as TaxIdType, value } : null
}

export function untypedTaxId(values: FormData, prefix = ''): ReturnType<Check> {
  const type = `${prefix}tax_id.type`
  return taxIdOf(values, prefix) && !textOf(values, type) ? { [type]: 'forms.required' } : undefined
}
