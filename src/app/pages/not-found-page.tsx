import { NotFound } from './failure-page.tsx'

export { notFoundLoader as loader } from '../page-loaders.server.ts'
export { loadUnknownPage as clientLoader } from '../layout/known-routes-client.ts'

export default NotFound
