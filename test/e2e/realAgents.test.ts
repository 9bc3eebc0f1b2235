import assert from 'node:assert/strict';
import { startScriptedModel } from '../agents/scriptedModel.mjs';
import { AgentChat } from '../realAgents/agentChat';
import { endLeftovers } from '../realAgents/leftovers';
import { prepareAgent, type PreparedAgent } from '../realAgents/prepare';
import { recipes, type Recipe } from '../realAgents/recipes';
import { attempt } from '../realAgents/runAgent';
import type { ScenarioName } from '../realAgents/scenarioNames';

const titles: Partial<Record<ScenarioName, string>> = {
  text: 'CO-1 shows plain text',
  edit: 'PE-1 edits a file with permission',
  shell: 'PE-1 runs a shell command with permission',
  reject: 'PE-3 rejects, and nothing happens',
  cancel: 'CA-1 cancels in mid-stream, and a second prompt works',
};

// All scenarios and agents: npm run agents.
for (const name of ['gemini', 'copilot', 'codex-acp-zed', 'claude-agent-acp-zed', 'qwen'] as const) {
  describe(`a real agent in the chat: ${name}`, function () {
    this.timeout(300_000);
    const recipe: Recipe = recipes[name];
    let model: Awaited<ReturnType<typeof startScriptedModel>> | undefined;
    let prepared: PreparedAgent | undefined;
    let opened: AgentChat | undefined;

    before(async function () {
      model = await startScriptedModel();
      try {
        prepared = await prepareAgent(name, recipe, model.url);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.test?.parent?.tests.forEach((test) => (test.title += ` (skipped: ${why})`));
        this.skip();
      }
      opened = await AgentChat.open(name, recipe, prepared);
    });

    after(async () => {
      await opened?.chat.close();
      await model?.stop();
      if (prepared) await endLeftovers(prepared);
    });

    for (const [scenario, title] of Object.entries(titles)) {
      it(title, async () => {
        assert.ok(opened);
        const { result, why } = await attempt(opened, scenario as ScenarioName);
        // Where the message of an agent shows that it can't end well, there is nothing more to be had.
        if (result !== 'agent') assert.equal(result, 'pass', why);
      });
    }
  });
}
