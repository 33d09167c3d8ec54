import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/app',
  buildDirectory: 'build',
  ssr: true,
  // The whole manifest is small, and a page must not need a second request to know where a link goes.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
