import { lookAt } from './look-at.ts'
import { beyond, screens } from './screens.ts'
import { test } from './stage.ts'

for (const [screen, looks] of Object.entries(screens)) {
  for (const look of looks) {
    test(`${screen}, ${look.state}: open to all`, async ({ stage }) => lookAt(look, stage))
  }
}

for (const look of beyond) {
  test(`${look.state}: open to all`, async ({ stage }) => lookAt(look, stage))
}
