import { mergeConfig } from 'vite'
import { bundled } from './vite.server.config.ts'

/** Bundles the server as a function of Google's framework, which comes from the platform. */
export default mergeConfig(bundled(['operate/cloud-functions/function.ts'], 'dist/function'), {
  ssr: { external: ['@google-cloud/functions-framework'] },
})
