import { useState } from 'react'
import {
  Link,
  useLoaderData,
  useRevalidator,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router'
import type { LiveHandle } from '../../platform/realtime/realtime.schema.ts'
import { copy } from '../../features/catalogue/catalogue.copy.ts'
import {
  findCourses,
  readCourseSearch,
  writeCourseSearch,
  type CourseSearch,
} from '../../features/catalogue/catalogue.ts'
import type { CourseCardView, HomeCourses } from '../../features/catalogue/catalogue.schema.ts'
import type { HomeSample } from '../../features/catalogue/contents/course-contents.schema.ts'
import { CourseCard } from '../../features/catalogue/ui/course-card.tsx'
import { CourseFilter } from '../../features/catalogue/ui/course-filter.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import { ListFailure } from '../../ui/list-failure.tsx'
import { EmptyState, Heading } from '../../ui/page-parts.tsx'
import { whenSeen } from '../../ui/when-seen.tsx'
import { Paging } from '../../ui/pagination.tsx'
import { BuyOrExtend } from '../layout/add-to-cart.tsx'
import { isFailedLoad, isLostNetwork } from './failed-loads.ts'
import { Failure } from './failure.tsx'
import { Sky } from './sky.tsx'
import { announceNextList, loadHomeList, reloadsHome, useHomeList, type HomeList } from './stored-courses-client.ts'
import { describePage } from '../layout/page-meta.ts'
import type { homeLoader } from '../page-loaders.server.ts'
import type { FailureHandle } from '../layout/failure-handle.ts'
import { Main } from '../layout/site-frame.tsx'
import { useSite } from '../layout/use-site.ts'
import { useShownFailure } from '../layout/steady-reload-client.ts'

export { homeLoader as loader } from '../page-loaders.server.ts'

export const shouldRevalidate = reloadsHome

export const handle: LiveHandle & FailureHandle = {
  live: (data) => ({ courseIds: null, courses: (data as HomeList).allCount }),
  showFailure: (error) => (
    <Main>
      <ErrorBoundary error={error} />
    </Main>
  ),
}

export const meta: MetaFunction<typeof homeLoader> = ({ matches, loaderData, location }) => {
  // The canonical address of a search is home; each page of the list has its own.
  const search = readCourseSearch(new URLSearchParams(location.search))
  const page = isFiltered(search) ? 1 : (loaderData?.page ?? 1)
  const at = (number: number) => `${paths.home}${writeCourseSearch({ text: '', category: null }, number)}`
  return describePage(matches, {
    title: page === 1 ? copy['home.hero.title'] : fill(copy['home.title.page'], { page }),
    description: `${copy['home.hero.subtitle']}. ${copy['home.hero.promise']}. ${copy['home.hero.trial']}`,
    path: at(page),
  })
}

export const clientLoader = ({ request, serverLoader }: ClientLoaderFunctionArgs) =>
  loadHomeList(new URL(request.url), () => serverLoader<typeof homeLoader>())

const SampleQuestion = whenSeen(() => import('../../features/attempts/sample/sample-question.tsx'))
const ExamPaper = whenSeen(() => import('./exam-paper.tsx'))
const HomeStills = whenSeen(() => import('./home-stills.tsx'))

const isFiltered = ({ text, category }: CourseSearch) => text !== '' || category !== null

export default function HomePage() {
  const list = useHomeList(useLoaderData<HomeList>())
  const search = readCourseSearch(useSearchParams()[0])
  const matches = list.isWhole ? findCourses(list.courses, search) : list.courses
  const count = list.isWhole ? matches.length : list.foundCount
  return (
    <>
      <Hero tried={list.sample} />
      <section
        id="courses"
        aria-labelledby="courses-heading"
        className="mx-auto max-w-page px-4 py-10 tablet:px-6 widest:max-w-shelf"
      >
        <CoursesHeading />
        {list.allCount === 0 ? null : <CourseFilter search={search} isOnServer={!list.isWhole} />}
        <p role="status" className="nums mt-4 text-sm text-soft">
          {list.allCount === 0
            ? null
            : fill(copy[isFiltered(search) ? 'home.found.some' : 'home.found.all'], { n: count, all: list.allCount })}
        </p>
        <div className="mt-3">
          {list.allCount === 0 ? (
            <EmptyState drawing="courses" title={copy['home.empty.title']} hint={copy['home.empty.hint']} />
          ) : matches.length === 0 ? (
            <EmptyState
              drawing="search"
              title={copy['home.nothing.title']}
              hint={copy['home.nothing.hint']}
              action={
                <ButtonLink to={paths.home} look="secondary" preventScrollReset state={{ keepsFocus: true }}>
                  {copy['home.nothing.action']}
                </ButtonLink>
              }
            />
          ) : (
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 desktop:grid-cols-3 wide:grid-cols-4 widest:grid-cols-5">
              {matches.map((course) => (
                <ShopCard key={course.id} course={course} isOwned={list.ownedIds.includes(course.id)} />
              ))}
            </div>
          )}
        </div>
        <HomePages list={list} search={search} />
      </section>
      <HomeStills fallback={null} />
    </>
  )
}

function CoursesHeading() {
  const { site } = useSite()
  return (
    <h2 id="courses-heading" className="text-xl font-semibold">
      Courses at {site.brandName}
    </h2>
  )
}

function ShopCard({ course, isOwned }: { course: CourseCardView; isOwned: boolean }) {
  const cartButton = <BuyOrExtend course={course} isOwned={isOwned} onCard />
  return <CourseCard course={course} isOwned={isOwned} cartButton={cartButton} />
}

function Hero({ tried }: { tried: HomeSample | null }) {
  return (
    <section className="relative overflow-hidden border-b border-line bg-surface">
      <Sky />
      <div className="relative mx-auto grid max-w-page items-center gap-x-12 gap-y-3 px-4 py-9 tablet:px-6 tablet:py-14 desktop:grid-cols-[1fr_500px]">
        <div>
          <p className="font-semibold text-accent">{copy['home.hero.subtitle']}</p>
          <Heading className="mt-3 max-w-[20ch] text-3xl font-semibold tablet:text-4xl">
            <HeroTitle />
          </Heading>
          <p className="mt-5 text-lg text-soft">{copy['home.hero.promise']}</p>
          <p className="text-lg text-soft">{copy['home.hero.trial']}</p>
          <ButtonLink to="#courses" className="mt-6">
            See the courses <ArrowIcon />
          </ButtonLink>
        </div>
        {tried === null ? null : <TryOnHome tried={tried} />}
      </div>
    </section>
  )
}

/** The promise links to its rule. The no-break space keeps the dash from starting a line. */
function HeroTitle() {
  const [goal, promise] = copy['home.hero.title'].split(' - ')
  return (
    <>
      {`${goal}\u00a0- `}
      <Link to={paths.pledge} className="underline decoration-2 underline-offset-6 hover:text-accent">
        {promise}
      </Link>
    </>
  )
}

/** Where the illustration comes, which only large screens show. */
function PaperPlace() {
  return <div className="hidden aspect-4/3 w-full desktop:block" />
}

/** The question to try. On small screens it waits behind a button, so that the courses stay near the top. */
function TryOnHome({ tried: { courseSlug, courseTitle, sample } }: { tried: HomeSample }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="min-w-0">
      <Button
        look="secondary"
        aria-expanded={isOpen}
        aria-controls="try"
        className="desktop:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {copy[isOpen ? 'home.try.close' : 'home.try']}
      </Button>
      <section
        id="try"
        aria-labelledby="try-heading"
        className={`rounded-lg border border-line-strong bg-paper p-5 tablet:p-6 ${isOpen ? 'max-desktop:mt-4' : 'max-desktop:hidden'}`}
      >
        <h2 id="try-heading" className="text-base font-semibold">
          {copy['home.try.title']}
        </h2>
        <SampleQuestion
          courseSlug={courseSlug}
          courseTitle={courseTitle}
          sample={sample}
          fallback={<ExamPaper fallback={<PaperPlace />} />}
        />
      </section>
    </div>
  )
}

/** Links to the other pages of a long list, each to the list's beginning. */
function HomePages({ list, search }: { list: HomeCourses; search: CourseSearch }) {
  const { page, pageCount: pages } = list
  const to = (number: number) => `${paths.home}${writeCourseSearch(search, number)}#courses`
  return (
    <Paging
      back={page > 1 ? { to: to(page - 1), label: copy['home.pages.previous'] } : null}
      status={fill(copy['home.pages.here'], { page, pages })}
      on={page < pages ? { to: to(page + 1), label: copy['home.pages.next'] } : null}
    />
  )
}

/** A fault of this page is one of its list: the frame and the head of the page stay. */
export function ErrorBoundary({ error }: { error: unknown }) {
  const isOfList = isFailedLoad(error) || (error instanceof Error && !isLostNetwork(error))
  return isOfList ? <FailedHome /> : <Failure error={error} />
}

function FailedHome() {
  useShownFailure()
  const { revalidate, state } = useRevalidator()
  const handleRetry = () => {
    announceNextList()
    void revalidate()
  }
  return (
    <>
      <title>{copy['home.hero.title']}</title>
      <Hero tried={null} />
      <section
        id="courses"
        aria-labelledby="courses-heading"
        className="mx-auto max-w-page px-4 py-10 tablet:px-6 widest:max-w-shelf"
      >
        <CoursesHeading />
        <div className="mt-6">
          <ListFailure
            sentence={state === 'idle' ? copy['home.error'] : copy['home.loading']}
            retry={copy['home.error.retry']}
            isBusy={state !== 'idle'}
            onRetry={handleRetry}
          />
        </div>
      </section>
    </>
  )
}
