import { ToolRefusal } from '../../deliveries/tools/tool-table.ts'
import { Refusal } from '../../errors.ts'

/** The calendar tools have always carried `status` and `detail`; a refusal carries them beside its sentence. */
export async function calendarAnswer<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof ToolRefusal) throw error
    throw new ToolRefusal(error.kind, error.message, { status: error.status, detail: error.message })
  }
}
