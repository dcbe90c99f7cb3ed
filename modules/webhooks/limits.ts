const [seconds, minutes, hours] = [1000, 60_000, 3_600_000]

export const limits = {
  perProject: 10,
  /** How long a receiver has for an answer, in milliseconds, and how many bytes of it are kept. */
  answerWithin: 10 * seconds,
  answerSize: 1024,
  /** The pauses before an event is tried again. After the last one the webhook is paused. */
  retries: [5 * seconds, 1 * minutes, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours],
  /** How long a former secret signs along. */
  formerSecret: 24 * hours,
  /** How long deliveries are kept, and how many of a webhook that do not wait. */
  kept: 30 * 24 * hours,
  log: 1000,
  /** To how many webhooks a server delivers at once. */
  atOnce: 1000,
  /** How many events, and for how long, before what became of them is written down. */
  batch: 50,
  together: 1 * seconds,
} as const
