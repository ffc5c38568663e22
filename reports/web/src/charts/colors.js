// Colours of axes, grid and text, in both themes; style.css has the same for the page.
const COLORS = {
  light: { page: "#ffffff", panel: "#f6f7f9", text: "#1b1f24", "text-soft": "#57606a", grid: "#dfe3e8", floor: "rgba(120,120,120,0.13)" },
  dark: { page: "#14171b", panel: "#1d2126", text: "#e6e9ec", "text-soft": "#a3acb5", grid: "#2c3239", floor: "rgba(180,180,180,0.12)" },
};

export const colorOf = (name, isDark) => COLORS[isDark ? "dark" : "light"][name];
