import { readFileSync } from 'node:fs'
import { flatten } from '../../locales/find-mistakes.ts'
import type { Messages } from '../../locales/translator.ts'
import type { Page } from '@playwright/test'

/** A sentence for each text on the page that is a key, or English although there is another. */
export async function findForeign(page: Page, language: string): Promise<string[]> {
  const shown = await textsOf(page)
  const own = new Set(texts(language).values())
  const english = [...texts('en')].filter(
    ([key, text]) => language !== 'en' && texts(language).get(key) !== text && !own.has(text),
  )
  const patterns = english.map(([key, text]) => ({ key, pattern: patternOf(text) }))
  return [...new Set(shown)].flatMap((text) => {
    if (texts('en').has(text)) return [`“${text}” is a key`]
    const found = patterns.find(({ pattern }) => pattern?.test(text))
    return found ? [`“${text}” is English (${found.key})`] : []
  })
}

const known = new Map<string, Map<string, string>>()

function texts(language: string) {
  const found =
    known.get(language) ??
    new Map(flatten(JSON.parse(readFileSync(`locales/${language}.json`, 'utf8')) as Messages))
  known.set(language, found)
  return found
}

/** Undefined for a text with hardly any words of its own, which would match everywhere. */
function patternOf(text: string) {
  const parts = text.split(/\{\{\w+\}\}/)
  if (parts.length > 1 && parts.join('').replaceAll(/[^a-z]/gi, '').length < 5) return undefined
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('.*')}$`,
    'su',
  )
}

/** The texts that people see or a screen reader reads out. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.querySelector('title')!, ...document.body.querySelectorAll('*')].flatMap(
      (element) => {
        if (element.tagName === 'OPTION') return []
        const attributes = ['aria-label', 'placeholder', 'title', 'alt'].map(
          (name) => element.getAttribute(name) ?? '',
        )
        const children = [...element.childNodes]
        const words = children.some((child) => child.nodeType === Node.TEXT_NODE)
          ? [element.textContent!]
          : []
        return [
          ...attributes,
          ...words,
          ...children
            .filter((child) => child.nodeType === Node.TEXT_NODE)
            .map((child) => child.textContent!),
        ]
          .map((text) => text.trim())
          .filter((text) => text !== '')
      },
    ),
  )
}
