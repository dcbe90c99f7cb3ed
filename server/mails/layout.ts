import { languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { memoize } from '#contract/memoize.ts'
import { html as safe, raw } from 'hono/html'
import { colors, font } from '../platform/colors.ts'
import { markId } from '../providers/mail/mailer.ts'

/** Where people find help and what they agreed to. */
export type FootLink = { label: string; url: string }
/** `home`: where the product says what it is, if it does. */
type Foot = { home: string | undefined; footLinks: FootLink[] }

/** A list in a mail, with what it is of. */
export type Part = { title: string; lines: string[] }

type Text = 'subject' | 'greeting' | 'text' | 'button' | 'link' | 'linkHint' | 'footer'

/** One mail as plain text and as HTML. Mail programs need tables and inline styles. */
export async function layOut({
  language,
  subject,
  greeting,
  text,
  button,
  link,
  linkHint,
  footer,
  home,
  footLinks,
  parts,
}: Record<Text, string> & Foot & { language: LanguageCode; parts: Part[] }) {
  const { dir = 'ltr' } = languages[language]
  const foot = [
    home ? `${product.name}: ${home}` : product.name,
    ...footLinks.map(({ label, url }) => `${label}: ${shownUrl(url)}`),
  ]
  const lists = parts.map(({ title, lines }) =>
    [title, ...lines.map((line) => `- ${line}`)].join('\n'),
  )
  const plain = [greeting, text, ...lists, `${button}:\n${link}`, footer, foot.join('\n')].join(
    '\n\n',
  )
  const html = await safe`<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(style)}</style>
</head>
<body style="margin:0;padding:0;background:${light('page')}">
${raw(narrow.begin)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" dir="${dir}" class="page" style="background:${light('page')}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:520px;background:${light('surface')};border:1px solid ${light('line')};border-radius:14px"><tr><td style="padding:32px;${raw(writingOf(language))};font-size:15px;line-height:1.55;color:${light('ink')}" class="text">
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr><td style="padding:0;line-height:0"><img src="cid:${markId}" width="32" height="32" alt="" style="display:block;border:0"></td><td style="padding-inline-start:10px;font-weight:700;font-size:17px;line-height:32px">${product.name}</td></tr></table>
<p style="margin:0 0 16px">${greeting}</p>
<p style="margin:0 0 24px">${text}</p>
${parts.map(
  ({
    title,
    lines,
  }) => safe`<p style="margin:0 0 ${lines.length > 0 ? 4 : 24}px;font-weight:600">${title}</p>
${lines.length > 0 && safe`<ul style="margin:0 0 24px;padding-inline-start:20px">${lines.map((line) => safe`<li>${line}</li>`)}</ul>`}`,
)}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr><td class="button" style="border-radius:6px;background:${light('accent')};mso-padding-alt:11px 20px"><a href="${link}" class="button" style="display:inline-block;padding:11px 20px;border-radius:6px;background:${light('accent')};color:${light('on-accent')};font-weight:600;text-align:center;text-decoration:none">${button}</a></td></tr></table>
<p style="margin:0 0 4px;font-size:13px;color:${light('soft')}" class="soft">${linkHint}</p>
<p style="margin:0 0 24px;font-size:13px;word-break:break-all"><a href="${link}" style="color:${light('accent')}" class="link">${link}</a></p>
<p style="margin:0;font-size:13px;color:${light('soft')}" class="soft">${footer}</p>
</td></tr></table>
<p style="max-width:520px;margin:20px auto 0;${raw(writingOf(language))};font-size:13px;line-height:1.6;color:${light('soft')};text-align:center" class="soft">${home ? linkTo(home, product.name) : product.name}${footLinks.map(
    ({ label, url }) => safe` &nbsp;·&nbsp; ${linkTo(url, label)}`,
  )}</p>
</td></tr></table>
${raw(narrow.end)}
</body>
</html>`
  // Outlook knows no sides that follow the direction.
  const side = dir === 'rtl' ? 'padding-right' : 'padding-left'
  return { subject, text: plain, html: String(html).replaceAll('padding-inline-start', side) }
}

function linkTo(url: string, label: string) {
  return safe`<a href="${url}" style="color:${light('soft')};white-space:nowrap" class="soft">${label}</a>`
}

/** Outlook for Windows draws with Word, which knows no `max-width`, nor padding of a link. */
const narrow = {
  begin: '<!--[if mso]><table role="presentation" width="552" align="center"><tr><td><![endif]-->',
  end: '<!--[if mso]></td></tr></table><![endif]-->',
}

/** An address of a person is shown without `mailto:`. */
function shownUrl(url: string) {
  return url.replace(/^mailto:/, '')
}

/** Fonts and line breaks. Chinese, Japanese and Korean draw shared characters differently. */
function writingOf(language: LanguageCode) {
  const { script = '' } = localeOf(language)
  return scripts[script] ?? usual
}

const localeOf = memoize((language: LanguageCode) => new Intl.Locale(language).maximize())

const usual = `font-family:${font.family}`

const scripts: Record<string, string> = {
  Hans: `font-family:'PingFang SC','Microsoft YaHei','Noto Sans SC','Noto Sans CJK SC',sans-serif;line-break:strict`,
  Hant: `font-family:'PingFang TC','Microsoft JhengHei','Noto Sans TC','Noto Sans CJK TC',sans-serif;line-break:strict`,
  Jpan: `font-family:'Hiragino Sans','Yu Gothic UI','Noto Sans JP','Noto Sans CJK JP',sans-serif;line-break:strict;word-break:auto-phrase`,
  Kore: `font-family:'Apple SD Gothic Neo','Malgun Gothic','Noto Sans KR','Noto Sans CJK KR',sans-serif;word-break:keep-all`,
}

const inTheme = (theme: 0 | 1) => (name: keyof typeof colors) => colors[name][theme]
const light = inTheme(0)
const dark = inTheme(1)

const style = `p { text-wrap: pretty }
@media (prefers-color-scheme: dark) {
.page, body { background: ${dark('page')} !important }
.card { background: ${dark('surface')} !important; border-color: ${dark('line')} !important }
.text { color: ${dark('ink')} !important } .soft { color: ${dark('soft')} !important } .link { color: ${dark('accent')} !important }
.button { background: ${dark('accent')} !important; color: ${dark('on-accent')} !important }
}`
