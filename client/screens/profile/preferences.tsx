import { languages, type LanguageCode } from '#config/languages.ts'
import type { UserRecord } from '#contract/entities.ts'
import { offersWay } from '#contract/modules.ts'
import { chosenKinds, type ChosenKind } from '#contract/notices.ts'
import { useId, useState } from 'react'
import { chooseLanguage } from '../../api/own-language.ts'
import { Card } from '../../components/card.tsx'
import { Select } from '../../components/fields.tsx'
import { ShortcutSwitch } from '../../layouts/shortcuts.tsx'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { chooseRows, rowHeights, useRows } from '../../platform/rows.ts'
import { chooseTheme, themes, useTheme } from '../../platform/theme.ts'
import { chooseTimeZone, ownTimeZone, useTimeZone } from '../../platform/time-zone.ts'
import { awaitReload, useCall } from '../../api/queries.ts'
import { useAction } from '../../api/call.ts'
import { LiveProblem } from '../../components/message.tsx'
import { useArrival } from '../../components/use-arrival.ts'

const timeZones = Intl.supportedValuesOf('timeZone')
const codes = Object.keys(languages) as LanguageCode[]

/** How the app looks and speaks. The language goes with the account, the rest with the browser. */
export function Preferences() {
  const t = useT()
  const language = useLanguage()
  const theme = useTheme()
  const rows = useRows()
  const zone = useTimeZone()
  return (
    <Card title={t('profile.preferences.title')}>
      <div className="grid gap-3">
        {codes.length > 1 && (
          <Preference
            label={t('common.language')}
            value={language}
            options={codes.map((value) => ({ value, text: languages[value].name, lang: value }))}
            onChoose={(code) => void chooseLanguage(code)}
          />
        )}
        <Preference
          label={t('profile.preferences.timeZone')}
          value={zone ?? ''}
          options={[
            { value: '', text: t('profile.preferences.ownTimeZone', { zone: ownTimeZone() }) },
            ...timeZones.map((value) => ({ value, text: value.replaceAll('_', ' ') })),
          ]}
          onChoose={(value) => chooseTimeZone(value || undefined)}
        />
        <Preference
          label={t('frame.theme')}
          value={theme}
          options={themes.map((value) => ({ value, text: t(`frame.themes.${value}`) }))}
          onChoose={chooseTheme}
        />
        <Preference
          label={t('profile.preferences.rows')}
          value={rows}
          options={rowHeights.map((value) => ({
            value,
            text: t(`profile.preferences.rowHeights.${value}`),
          }))}
          onChoose={chooseRows}
        />
        <ShortcutSwitch />
      </div>
    </Card>
  )
}

type PreferenceProps<Value extends string> = {
  label: string
  value: Value
  options: { value: Value; text: string; lang?: string }[]
  onChoose: (value: Value) => void
}

function Preference<Value extends string>(props: PreferenceProps<Value>) {
  const { label, value, options, onChoose } = props
  const id = useId()
  return (
    <div className="grid gap-y-1.5 sm:max-w-80">
      <label htmlFor={id} className="text-small text-soft">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        onChange={({ target }) => onChoose(options[target.selectedIndex]!.value)}
      >
        {options.map(({ value, text, lang }) => (
          <option key={value} value={value} lang={lang}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}

const mails = offersWay('digest')
  ? (['atOnce', 'digest', 'never'] as const)
  : (['atOnce', 'never'] as const)
type Choice = { app: boolean; mail: (typeof mails)[number] }

/** How the user is told what others do in projects. The link in those mails leads here. */
export function NoticeChoices() {
  const t = useT()
  const section = useArrival('#emails')
  return (
    <section id="emails" ref={section} tabIndex={-1} className="outline-none">
      <Card title={t('profile.notices.title')}>
        <p className="mb-4 text-soft">{t('profile.notices.intro')}</p>
        <table className="w-full">
          <thead className="text-small text-soft max-[30rem]:hidden">
            <tr>
              <th scope="col" className="pb-1 text-start font-normal">
                {t('profile.notices.what')}
              </th>
              {offersWay('app') && (
                <th scope="col" className="px-2 pb-1 font-normal whitespace-nowrap">
                  {t('profile.notices.app')}
                </th>
              )}
              <th scope="col" className="w-40 pb-1 text-start font-normal">
                {t('profile.notices.mail')}
              </th>
            </tr>
          </thead>
          <tbody>
            {chosenKinds.map((kind) => (
              <ChoiceRow key={kind} kind={kind} />
            ))}
          </tbody>
        </table>
      </Card>
    </section>
  )
}

/** On a phone, where nobody sees the heads, a short label stands beside each control. */
const short = { 'aria-hidden': true, className: 'shrink-0 text-small text-soft min-[30rem]:hidden' }

/** Is saved at once, and changes back if the server refuses. */
function ChoiceRow({ kind }: { kind: ChosenKind }) {
  const t = useT()
  const what = t(`profile.notices.${kind}`)
  const { data, refetch } = useCall('getUser', {})
  const { busy, error, run } = useAction('saveUser')
  const [chosen, setChosen] = useState<Choice>()
  const choice = busy ? chosen : data && choiceOf(data.user, kind)

  function save(next: Partial<Choice>) {
    const { app, mail } = { ...choice!, ...next }
    setChosen({ app, mail })
    const input = {
      notices: { [kind]: mail !== 'never' },
      notice_ways: { [kind]: { app, digest: mail === 'digest' } },
    }
    void run(input, () => awaitReload(refetch))
  }

  return (
    <tr className="flex-wrap items-center gap-x-3 border-t border-line max-[30rem]:flex">
      <th scope="row" className="basis-full py-2 pe-2 text-start font-normal max-[30rem]:pb-0">
        {what}
        <LiveProblem error={error} failed="profile.notices.failed" />
      </th>
      {offersWay('app') && (
        <td className="p-0 text-center">
          <label className="touch-target relative flex min-h-9 items-center justify-center gap-2">
            <input
              type="checkbox"
              className="tick"
              aria-label={`${what} ${t('profile.notices.app')}`}
              checked={choice?.app !== false}
              disabled={!choice}
              onChange={({ target }) => save({ app: target.checked })}
            />
            <span {...short}>{t('profile.notices.app')}</span>
          </label>
        </td>
      )}
      <td className="grow py-1.5">
        <label className="flex items-center gap-2">
          <span {...short}>{t('profile.notices.mail')}</span>
          <Select
            aria-label={`${what} ${t('profile.notices.mail')}`}
            value={choice?.mail ?? 'atOnce'}
            disabled={!choice}
            onChange={({ target }) => save({ mail: target.value as Choice['mail'] })}
          >
            {mails.map((mail) => (
              <option key={mail} value={mail}>
                {t(`profile.notices.${mail}`)}
              </option>
            ))}
          </Select>
        </label>
      </td>
    </tr>
  )
}

function choiceOf({ notices, notice_ways }: UserRecord, kind: ChosenKind): Choice {
  const { app, digest } = notice_ways[kind]
  if (!notices[kind]) return { app, mail: 'never' }
  return { app, mail: digest && offersWay('digest') ? 'digest' : 'atOnce' }
}
