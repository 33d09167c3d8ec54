import { NotFound } from './failure-page.tsx'

export { notFoundLoader as loader } from '../page-loaders.server.ts'

export default NotFound
