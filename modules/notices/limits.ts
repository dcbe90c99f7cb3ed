const [minutes, days] = [60_000, 24 * 3_600_000]

export const limits = {
  /** How long notices are kept, in milliseconds. */
  kept: 90 * days,
  digest: {
    /** From which hour on the mail of the day leaves, in its reader's time zone. */
    hour: 8,
    /** How often a server looks who is due, in milliseconds, and how many it mails to at once. */
    look: 1 * minutes,
    atOnce: 100,
    /** How many projects and how many notices of each it lists. The rest is a number. */
    projects: 10,
    lines: 10,
  },
} as const
