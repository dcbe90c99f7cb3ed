export function classes(...names: (string | false | undefined)[]) {
  return names.filter(Boolean).join(' ')
}

export const cardLook = 'rounded-card border border-line bg-surface shadow-low'

export const tones = {
  neutral: 'bg-tint text-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent-ink',
}
