import { Field } from '../../../../ui/field.tsx'
import { readExamForm, type ExamForm } from '../../../catalogue/data-calls/course-sync.ts'

/** Title, time limit in minutes and passing score of an exam. */
export function ExamFields({
  form,
  isTried,
  onChange,
}: {
  form: ExamForm
  /** Problems show after the first try to save. */
  isTried: boolean
  onChange: (form: ExamForm) => void
}) {
  const { problems } = readExamForm(form)
  const field = (name: 'title' | 'minutes' | 'passing') => ({
    value: form[name],
    problem: isTried ? problems[name] : null,
    onChange: (event: { target: { value: string } }) => onChange({ ...form, [name]: event.target.value }),
  })
  return (
    <>
      <Field label="Exam title" {...field('title')} />
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field label="Minutes" inputMode="numeric" {...field('minutes')} />
        <Field label="Passing score in percent" inputMode="numeric" {...field('passing')} />
      </div>
    </>
  )
}
