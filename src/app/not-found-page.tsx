import { NotFound } from './failure-page.tsx'

export { notFoundLoader as loader } from './pages.server.ts'

export default NotFound
