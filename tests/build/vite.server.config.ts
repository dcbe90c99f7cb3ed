import { mergeConfig } from 'vite'
import server from '../../vite.server.config.ts'

/** The server as shipped, with the tests' own configuration in place of config/. */
export default mergeConfig(server, {
  ssr: { resolve: { conditions: ['tests-config'] } },
  build: { outDir: '.cache/test-server' },
})
