// A program over its steps: the lines that really came, and those that the model says where it is
// wrong. In the list of programs the verdicts alone, as a strip.

const colours = () => {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    verdicts: [of("right"), of("wrong"), of("malformed"), of("other")],
    predicted: of("predicted"), ink: of("ink"), rule: of("rule"), soft: of("soft"),
  };
};

// Sets a canvas to the pixels of the screen; its context in CSS pixels.
function context(canvas) {
  const scale = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const ctx = canvas.getContext("2d");
  ctx.scale(scale, scale);
  return { ctx, width, height };
}

function drawStrip(canvas, program) {
  const { ctx, width, height } = context(canvas);
  const { verdicts } = colours();
  const wide = width / program.length;
  for (let at = 0; at < program.length; at += 1) {
    const { verdict } = steps[program.first + at];
    ctx.fillStyle = verdicts[verdict];
    ctx.globalAlpha = verdict === RIGHT ? .55 : 1;
    // What is right is low, so that colour is not all that tells.
    const low = verdict === RIGHT ? height / 2 : 0;
    ctx.fillRect(at * wide, low, Math.max(wide - (wide > 3 ? 1 : 0), .75), height - low);
  }
}

const MARGIN = { left: 34, right: 8, top: 8, bottom: 14 };

function drawTimeline(place, chosen) {
  const program = programs[place];
  const canvas = byId("timeline-canvas");
  const { ctx, width, height } = context(canvas);
  const { verdicts, predicted, ink, rule, soft } = colours();
  const own = steps.slice(program.first, program.first + program.length);
  const lines = own.flatMap((step) => [step.toLine || step.line, step.predictedLine]).filter((line) => line > 0);
  const low = lines.reduce((a, b) => Math.min(a, b), Infinity), high = lines.reduce((a, b) => Math.max(a, b), 0);
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const wide = inner.width / own.length;
  const x = (at) => MARGIN.left + at * wide;
  const y = (line) => MARGIN.top + (high > low ? (line - low) / (high - low) : .5) * inner.height;
  ctx.font = "11px system-ui, sans-serif";
  ctx.fillStyle = soft;
  ctx.textAlign = "right";
  ctx.fillText(`${low}`, MARGIN.left - 6, y(low) + 4);
  if (high > low) ctx.fillText(`${high}`, MARGIN.left - 6, y(high) + 4);
  ctx.fillStyle = rule;
  ctx.fillRect(MARGIN.left, height - 9, inner.width, 1);
  own.forEach((step, at) => {
    const mid = x(at) + wide / 2, real = y(step.toLine || step.line || low);
    ctx.fillStyle = verdicts[step.verdict];
    ctx.fillRect(x(at), real - 1.5, Math.max(wide, 1.5), 3);
    if (!isDivergence(step)) return;
    ctx.fillRect(x(at), height - 7, Math.max(wide - (wide > 3 ? 1 : 0), 1), 6);
    if (step.predictedLine > 0 && step.predictedLine !== step.toLine) {
      ctx.strokeStyle = ctx.fillStyle = predicted;
      ctx.globalAlpha = .6;
      ctx.beginPath();
      ctx.moveTo(mid, real);
      ctx.lineTo(mid, y(step.predictedLine));
      ctx.stroke();
      ctx.globalAlpha = 1;
      ctx.beginPath();
      ctx.arc(mid, y(step.predictedLine), Math.max(1.5, Math.min(4, wide / 2)), 0, 2 * Math.PI);
      ctx.fill();
    }
  });
  if (chosen >= 0) {
    ctx.fillStyle = ink;
    ctx.fillRect(x(chosen) + wide / 2 - .5, 0, 1, height);
  }
  const wrong = own.filter(isDivergence).length;
  canvas.setAttribute("aria-label",
    `Timeline of ${program.id}: lines ${low} to ${high} over ${own.length} steps, ${wrong} of them wrong`);
}

// The step of a program at a place of its timeline.
function timelineStep(place, event) {
  const box = byId("timeline-canvas").getBoundingClientRect();
  const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
  const { length } = programs[place];
  return Math.min(length - 1, Math.max(0, Math.floor(share * length)));
}
