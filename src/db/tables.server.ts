import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables as the migrations create them. Dollar amounts are numeric columns and arrive as text, as days of the calendar do; identities and versions arrive as numbers. */
export type Tables = {
  users: {
    id: Generated<string>
    name: string
    email: string
    email_verified: Generated<boolean>
    image: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    deleted_at: Generated<Date | null>
    locked_at: Generated<Date | null>
    locked_reason: Generated<string | null>
  }
  profiles: {
    id: string
    role: Generated<'student' | 'admin'>
    full_name: Generated<string>
    extra_time: Generated<ExtraTimeColumn>
    updated_at: Generated<Date>
  }
  sessions: {
    id: Generated<string>
    user_id: string
    token_hash: string
    expires_at: Date
    ip_address: string | null
    user_agent: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    last_used_at: Generated<Date>
    confirmed_at: Date | null
  }
  authenticators: {
    user_id: string
    sealed_secret: string
    enabled_at: Date | null
    last_step: number | null
    created_at: Generated<Date>
  }
  recovery_codes: { user_id: string; code_hash: string }
  passkeys: {
    id: string
    user_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    name: string
    created_at: Generated<Date>
    last_used_at: Date | null
  }
  sign_in_methods: {
    id: Generated<string>
    user_id: string
    account_id: string
    provider_id: string
    password: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  address_changes: {
    token_hash: string
    user_id: string
    new_email: string
    expires_at: Date
    created_at: Generated<Date>
  }
  sign_in_locks: {
    email: string
    device: string
    failures: number
    locked_until: Date | null
    last_failure_at: Date
  }
  rate_limits: { kind: string; subject: string; count: number; ends_at: Date }
  courses: {
    id: Generated<string>
    title: string
    description: Generated<string>
    price: ColumnType<string, string, string>
    regular_price: Generated<string | null>
    was_price: Generated<string | null>
    sale_ends_at: Generated<Date | null>
    category: CategoryColumn | null
    image_url: Generated<string>
    slug: string
    blueprint: JsonColumn | null
    status: Generated<'draft' | 'published' | 'withdrawn'>
    total_questions: number | null
    total_practice_exams: number | null
    user_id: string | null
    row_version: GeneratedAlways<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  scheduled_prices: {
    id: Generated<string>
    course_id: string
    kind: 'price' | 'sale'
    cents: number
    starts_at: Date
    ends_at: Date | null
    state: Generated<'planned' | 'running' | 'done' | 'cancelled'>
    made_at: Date
    made_by: string | null
  }
  price_history: {
    id: GeneratedAlways<number>
    course_id: string
    cents: number
    is_sale: boolean
    at: Date
  }
  catalogue_changes: {
    number: number
    changed_table: string
    op: string
    row_id: string
    course_id: string
    row_version: number
    is_public: boolean
    changed_at: Generated<Date>
  }
  test_questions: {
    id: Generated<string>
    course_id: string
    test_name: string
    questions: JsonColumn
    case_studies: JsonColumnWithDefault
    question_count: GeneratedAlways<number>
    needs_review_count: GeneratedAlways<number>
    passing_score: Generated<number>
    time_limit: Generated<number>
    slug: string
    category: string | null
    user_id: string | null
    is_free_trial: Generated<boolean>
    is_free: GeneratedAlways<boolean>
    scoring_policy: Generated<'all-or-nothing' | 'partial'>
    position: Generated<number>
    version_number: Generated<number>
    parent_exam_id: string | null
    is_current_version: Generated<boolean>
    created_from_version: number | null
    family_id: GeneratedAlways<string>
    row_version: GeneratedAlways<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  orders: {
    id: Generated<string>
    user_id: string
    state: Generated<OrderStateColumn>
    currency: Generated<string>
    subtotal_cents: number
    discount_cents: Generated<number>
    tax_cents: number
    shipping_cents: number
    total_cents: number
    cart_key: string
    provider: string
    gateway_session_id: string | null
    gateway_session_url: string | null
    gateway_payment_intent: string | null
    is_live: Generated<boolean>
    created_at: Date
    paid_at: Date | null
    coupon_id: string | null
    coupon_code: string | null
    access_ended_at: Date | null
    payment_issue: string | null
    payment_issue_at: Date | null
    payable_until: Date | null
    ending_access_by: string | null
    refunding_key: string | null
    refunding_at: Date | null
  }
  order_lines: {
    id: Generated<string>
    order_id: string
    course_id: string
    title: string
    unit_price_cents: number
    quantity: number
    discount_cents: Generated<number>
  }
  order_moves: {
    id: GeneratedAlways<number>
    order_id: string
    from_state: string | null
    to_state: string
    cause: string
    detail: Generated<unknown>
    at: Date
  }
  gateway_events: { id: string; kind: string; order_id: string | null; outcome: string; received_at: Date }
  coupons: {
    id: Generated<string>
    code: string
    percent: number | null
    amount_cents: number | null
    starts_at: Date | null
    ends_at: Date | null
    use_limit: number | null
    course_ids: string[] | null
    is_active: Generated<boolean>
    created_at: Date
  }
  access_emails: {
    user_id: string
    course_id: string
    kind: 'ends-soon' | 'ended'
    access_ends_at: Date
    sent_at: Date
  }
  access_periods: {
    id: Generated<string>
    user_id: string
    course_id: string
    source: 'order' | 'seat' | 'grant' | 'pledge'
    order_line_id: string | null
    seat_code: string | null
    starts_at: Date
    ends_at: Date
    revoked_at: Date | null
    ended_by_hand: Generated<boolean>
    created_at: Date
  }
  seats: {
    code: string
    order_line_id: string
    number: number
    course_id: string
    redeemed_by: string | null
    redeemed_at: Date | null
    created_at: Date
  }
  attempts: {
    id: Generated<string>
    /** Null for a drawn exam, as the family. */
    exam_id: string | null
    family_id: string | null
    drawn: OptionalJsonColumn
    course_id: string
    user_id: string | null
    guest_id: string | null
    mode: 'practice' | 'timed' | 'preview'
    state: Generated<'open' | 'finished'>
    seed: number
    layout: JsonColumn
    scoring_policy: string
    passing_score: number
    time_limit_minutes: number | null
    extra_time: Generated<ExtraTimeColumn>
    writer: string | null
    started_at: Date
    deadline_at: Date | null
    finished_at: Date | null
    finished_by: 'learner' | 'deadline' | 'merge' | null
    result: JsonColumn | null
    score_percent: string | null
    is_passed: boolean | null
  }
  attempt_answers: {
    attempt_id: string
    question_id: string
    answer: OptionalJsonColumn
    is_flagged: boolean
    struck: string[]
    seq: number
    writer: string
    checked_at: Date | null
    saved_at: Date
    note: Generated<string>
    confidence: 'sure' | 'unsure' | null
    active_ms: Generated<number>
  }
  late_answers: {
    attempt_id: string
    question_id: string
    answer: OptionalJsonColumn
    seq: number
    writer: string
    arrived_at: Date
  }
  issued_offline_exams: {
    user_id: string
    exam_id: string
    seed: number
    issued_at: Date
  }
  question_reports: {
    id: Generated<string>
    user_id: string
    attempt_id: string
    exam_id: string
    family_id: string
    question_id: string
    reason: string
    words: Generated<string>
    reported_at: Date
    outcome: string | null
    note: string | null
    settled_at: Date | null
    settled_by: string | null
    source: string | null
    claim: OptionalJsonColumn
  }
  errata: {
    id: Generated<string>
    family_id: string
    question_id: string
    what: string
    corrected_at: Date
  }
  drills: {
    id: Generated<string>
    user_id: string | null
    guest_id: string | null
    course_id: string
    diagnostic: 'full' | 'short' | null
    filters: JsonColumn
    seed: number
    layout: JsonColumn
    started_at: Date
    finished_at: Date | null
    answer_count: Generated<number>
    answers_written: Generated<string>
    answered_from: Date | null
    answered_until: Date | null
  }
  study_progress: {
    user_id: string
    course_id: string
    mark: string
    covered_until: Date
    exam_versions: JsonColumn
    progress: JsonColumn
    fitted_at: Date | null
  }
  memory_fits: {
    user_id: string
    fitted_at: Date
    answers: number
    reviews: number
    held_out: number
    fitted_loss: number | null
    published_loss: number | null
    weights: number[] | null
  }
  readiness_days: {
    user_id: string
    course_id: string
    day: string
    last_at: Date | null
    answered: number
    mean: number
    low: number
    high: number
    chance: number
    real_mean: number
    real_low: number
    real_high: number
    real_chance: number
    abilities: JsonColumn
  }
  course_calibrations: {
    course_id: string
    at: Date
    responses: number
    persons: number
  }
  item_calibrations: {
    course_id: string
    family_id: string
    question_id: string
    answer_key: string
    difficulty: number
    deviation: number
    responses: number
  }
  exam_results: {
    id: Generated<string>
    user_id: string
    course_id: string
    exam_date: string
    is_passed: boolean
    score: number | null
    score_percent: number | null
    told: OptionalJsonColumn
    reported_at: Date
  }
  exam_result_questions: {
    user_id: string
    course_id: string
    exam_date: string
    mailed_at: Date | null
    declined_at: Date | null
  }
  pledges: {
    id: Generated<string>
    user_id: string
    course_id: string
    exam_date: string
    paid_period_id: string
    given_period_id: string | null
    facts: JsonColumn
    state: string
    given_at: Date
    decided_at: Date | null
    decided_by: string | null
    reason: string | null
  }
  result_publication: { is_public: boolean; changed_at: Date; single: Generated<boolean> }
  study_plans: {
    user_id: string
    course_id: string
    exam_date: string
    time_zone: string
    wished_percent: number | null
    minutes_a_day: number
    rest_days: Generated<number[]>
    date_set_at: Date
    date_moved_at: Date | null
    calendar_id: string | null
  }
  passed_exams: {
    user_id: string
    course_id: string
    exam_date: string
    time_zone: string
    date_set_at: Date
    date_moved_at: Date | null
  }
  study_reminders: { user_id: string; hour: number; reminded_on: string | null }
  push_subscriptions: {
    id: Generated<string>
    user_id: string
    endpoint: string
    p256dh: string
    auth: string
    created_at: Generated<Date>
  }
  drill_answers: {
    drill_id: string
    place: number
    answer: OptionalJsonColumn
    is_flagged: Generated<boolean>
    answered_at: Date | null
  }
  exam_drafts: {
    family_id: string
    from_exam_id: string
    test_name: string
    passing_score: number
    time_limit: number
    scoring_policy: 'all-or-nothing' | 'partial'
    is_free_trial: boolean
    case_studies: JsonColumnWithDefault
    settings_version: Generated<number>
    row_version: Generated<number>
    created_at: Date
    updated_at: Date
    updated_by: string | null
  }
  exam_draft_questions: {
    family_id: string
    question_id: string
    place: number
    question: JsonColumn
    fingerprint: GeneratedAlways<string | null>
    row_version: Generated<number>
    updated_at: Date
    updated_by: string | null
  }
  question_freshness: {
    family_id: string
    question_id: string
    place: number
    stem: string
    type: string
    url: string
    links: string[]
    domain: string
    verified_on: ColumnType<string | null, string | null, string | null>
    guide: string | null
    text_hash: string
    verified_hash: string | null
    marked: OptionalJsonColumn
  }
  link_checks: {
    url: string
    state: 'fine' | 'unsure' | 'dead'
    detail: string
    checked_at: Date
    gone_since: Date | null
  }
  question_fingerprints: { family_id: string; question_id: string; fingerprint: string | null }
  imports: {
    id: Generated<string>
    name: string
    size_bytes: Generated<number>
    state: 'uploading' | 'waiting' | 'reading' | 'mapping' | 'read' | 'failed' | 'cancelled'
    wanted_format: string | null
    format: string | null
    sign: string | null
    columns: JsonColumn | null
    mapping: JsonColumn | null
    read_count: Generated<number>
    read_percent: Generated<number>
    problem: string | null
    findings: JsonColumnWithDefault
    exams: JsonColumnWithDefault
    courses: JsonColumnWithDefault
    case_studies: JsonColumnWithDefault
    turn: Generated<number>
    lost_readers: Generated<number>
    heartbeat_at: Date | null
    target_family_id: string | null
    target_course_id: string | null
    stored_at: Date | null
    made_by: string | null
    created_at: Date
    updated_at: Date
  }
  import_chunks: { import_id: string; place: number; bytes: Uint8Array }
  import_questions: {
    import_id: string
    place: number
    exam_place: number
    file: string
    line: number
    key: string
    judged: 'good' | 'needs-review' | 'refused'
    verdict: 'good' | 'needs-review' | 'changed' | 'there' | 'refused'
    reasons: JsonColumnWithDefault
    lost: JsonColumnWithDefault
    input: JsonColumnWithDefault
    question: JsonColumn | null
    fingerprint: GeneratedAlways<string | null>
    there_family_id: string | null
    there_question_id: string | null
    outcome: Generated<'open' | 'stored' | 'dismissed'>
  }
  import_images: { import_id: string; hash: string; bytes: Uint8Array }
  bank_checks: {
    id: string
    asked_at: Date
    finished_at: Date | null
    failed_at: Date | null
    failure: 'memory' | 'broken' | null
    question_count: number | null
    change_number: number | null
    asked_by: string | null
    cues: OptionalJsonColumn
  }
  bank_findings: {
    id: GeneratedAlways<number>
    check_id: string
    course_id: string
    family_id: string
    question_id: string
    code: string
    severity: string
    facts: JsonColumn
    sentence: string | null
    fingerprint: string
  }
  set_aside_findings: {
    family_id: string
    question_id: string
    code: string
    fingerprint: string
    note: string
    set_by: string | null
    set_at: Date
  }
  regrades: {
    id: string
    family_id: string
    question_id: string
    answer_key: JsonColumn
    reason: string
    actor_id: string | null
    at: Date
  }
  former_results: {
    regrade_id: string
    attempt_id: string
    result: JsonColumn
    score_percent: string
    is_passed: boolean
  }
  feedback: {
    id: string
    type: 'positive' | 'negative' | 'suggestion'
    message: string
    context: Generated<string>
    user_id: string | null
    said_at: Date
    settled_at: Date | null
    settled_by: string | null
  }
  audit_log: {
    id: GeneratedAlways<number>
    at: Date
    actor_id: string | null
    action: string
    subject_table: string
    subject_id: string
    before: JsonColumn | null
    after: JsonColumn | null
    is_look: GeneratedAlways<boolean>
  }
  images: {
    id: string
    source_id: string
    content_type: 'image/webp' | 'image/svg+xml'
    width: number
    height: number
    bytes: Buffer
    made_by: string | null
    made_at: Date
  }
  study_sheets: {
    course_id: string
    slug: string
    position: number
    domain: string
    guide: string
    verified_on: ColumnType<string | null, string | null, string | null>
    sources: JsonColumn
    body: string
    updated_at: Date
  }
  catalogue_origins: { kind: 'course' | 'exam'; slug: string; shop_id: string; texts: JsonColumn }
  installation: { key: string; value: JsonColumn; at: Generated<Date> }
}

/** Read as unknown, to be parsed by a schema; written as JSON text. */
type JsonColumn = ColumnType<unknown, string, string>
type OptionalJsonColumn = ColumnType<unknown, string | null | undefined, string | null>
type JsonColumnWithDefault = ColumnType<unknown, string | undefined, string>
type CategoryColumn = 'practitioner' | 'associate' | 'professional' | 'specialty'
type ExtraTimeColumn = 'none' | 'x1.25' | 'x1.5' | 'x2' | 'untimed'
type OrderStateColumn = 'pending' | 'paid' | 'expired' | 'failed' | 'partly_refunded' | 'refunded' | 'disputed'
